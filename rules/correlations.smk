# Human scores, their correlation with the metrics per test set, and tables over test sets.


rule human:
    input:
        unpack(human_input),
    output:
        f"{RESULTS}/human/{{testset}}.tsv",
    log:
        f"{RESULTS}/logs/human/{{testset}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/human/{{testset}}.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("human"),
        options=human_options,
    shell:
        "python -m morpos.workflow human {params.options} --reference-facts {input.facts:q}"
        " --output {output:q} -- {input.judgments:q} 2> {log:q}"


rule correlations:
    input:
        scores="{run}/scores/{testset}.tsv",
        human=f"{RESULTS}/human/{{testset}}.tsv",
    output:
        correlations="{run}/correlations/{testset}.tsv",
        left_out="{run}/correlations/{testset}.left_out.tsv",
    log:
        "{run}/logs/correlations/{testset}.log",
    benchmark:
        "{run}/benchmarks/correlations/{testset}.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("correlations"),
        options=correlations_options,
    shell:
        "python -m morpos.workflow correlations {params.options} --output {output.correlations:q}"
        " --left-out {output.left_out:q} -- {input.scores:q} {input.human:q} 2> {log:q}"


rule correlations_all:
    input:
        expand(f"{RESULTS}/correlations/{{testset}}.tsv", testset=JUDGED),


rule summary:
    input:
        expand("{{run}}/correlations/{testset}.tsv", testset=JUDGED),
    output:
        summary="{run}/summary.tsv",
        left_out="{run}/summary.left_out.tsv",
        breakdown="{run}/breakdown.tsv",
    log:
        "{run}/logs/summary.log",
    benchmark:
        "{run}/benchmarks/summary.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("summary"),
        options=summary_options,
    shell:
        "python -m morpos.workflow summary {params.options} --output {output.summary:q}"
        " --left-out {output.left_out:q} --breakdown {output.breakdown:q} -- {input:q} 2> {log:q}"


rule published:
    input:
        summary=f"{RESULTS}/summary.tsv",
        published=CONFIG["published"] or [],
        published_tags=CONFIG["published_tags"] or [],
        tags=[path for paths in reference_tags().values() for path in paths],
    output:
        tsv=f"{RESULTS}/published.tsv",
        tags=f"{RESULTS}/published_tags.tsv",
        markdown=f"{RESULTS}/published.md",
        latex=f"{RESULTS}/published.tex",
    log:
        f"{RESULTS}/logs/published.log",
    benchmark:
        f"{RESULTS}/benchmarks/published.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("published"),
        options=published_options,
    shell:
        "python -m morpos.workflow published {params.options} --output {output.tsv:q}"
        " --output-tags {output.tags:q} --markdown {output.markdown:q} --latex {output.latex:q}"
        " -- {input.summary:q} {input.published:q} 2> {log:q}"


rule grid:
    input:
        expand("{run}/breakdown.tsv", run=RUNS),
    output:
        table=f"{RESULTS}/grid.tsv",
        choices=f"{RESULTS}/grid.choices.tsv",
    log:
        f"{RESULTS}/logs/grid.log",
    benchmark:
        f"{RESULTS}/benchmarks/grid.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("grid"),
        options=grid_options,
    shell:
        "python -m morpos.workflow grid {params.options} --output {output.table:q}"
        " --choices {output.choices:q} -- {input:q} 2> {log:q}"
