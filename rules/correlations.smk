# Human scores, their correlation with the metrics per test set, and tables over test sets.


rule human:
    input:
        unpack(inputs.human_files),
    output:
        f"{RESULTS}/human/{{testset}}.tsv",
    log:
        log_path("human", "{testset}", RESULTS),
    benchmark:
        benchmark_path("human", "{testset}", RESULTS)
    conda:
        ENVIRONMENT
    params:
        **JUDGMENTS,
        code=implementation("human"),
    shell:
        "python -m morpos.workflow human"
        " --format={params.format} --source={params.source:q} --target={params.target:q}"
        " --domain={params.domain:q} --lower-is-better={params.lower_is_better}"
        " --rule={params.rule} --sha256 {params.sha256}"
        " --reference-facts {input.facts:q} --output {output:q} -- {input.judgments:q} 2> {log:q}"


rule correlations:
    input:
        scores="{run}/scores/{testset}.tsv",
        human=f"{RESULTS}/human/{{testset}}.tsv",
        external=[],
    output:
        correlations="{run}/correlations/{testset}.tsv",
        left_out="{run}/correlations/{testset}.left_out.tsv",
    log:
        log_path("correlations", "{testset}", "{run}"),
    benchmark:
        benchmark_path("correlations", "{testset}", "{run}")
    conda:
        ENVIRONMENT
    params:
        code=implementation("correlations"),
        source=lambda wildcards: inputs.testset(wildcards).source,
        target=lambda wildcards: inputs.testset(wildcards).target,
        group=lambda wildcards: inputs.testset(wildcards).group,
        excluded=lambda wildcards: inputs.testset(wildcards).exclude_from_summary,
        combinations=as_is(CONFIG["combinations"] or ""),
        references=JUDGED_REFERENCES,
    shell:
        "python -m morpos.workflow correlations --testset={wildcards.testset:q}"
        " --source={params.source:q} --target={params.target:q} --group={params.group:q}"
        " --exclude-from-summary={params.excluded} --combinations={params.combinations:q}"
        " --references {params.references:q} --external {input.external:q}"
        " --output {output.correlations:q} --left-out {output.left_out:q}"
        " -- {input.scores:q} {input.human:q} 2> {log:q}"


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
        log_path("summary", "", "{run}"),
    benchmark:
        benchmark_path("summary", "", "{run}")
    conda:
        ENVIRONMENT
    params:
        code=implementation("summary"),
        missing=as_is(inputs.missing(counted=True)),
        absent=as_is(inputs.missing(counted=False)),
        expected_testsets=CONFIG["expected_testsets"] or 0,
    shell:
        "python -m morpos.workflow summary --missing {params.missing:q} --absent {params.absent:q}"
        " --expected-testsets={params.expected_testsets} --output {output.summary:q}"
        " --left-out {output.left_out:q} --breakdown {output.breakdown:q} -- {input:q} 2> {log:q}"


rule published:
    input:
        summary=f"{RESULTS}/summary.tsv",
        published=CONFIG["published"] or [],
        published_tags=CONFIG["published_tags"] or [],
        tags=list(inputs.reference_tags()),
    output:
        tsv=f"{RESULTS}/published.tsv",
        tags=f"{RESULTS}/published_tags.tsv",
        markdown=f"{RESULTS}/published.md",
        latex=f"{RESULTS}/published.tex",
    log:
        log_path("published", "", RESULTS),
    benchmark:
        benchmark_path("published", "", RESULTS)
    conda:
        ENVIRONMENT
    params:
        code=implementation("published"),
        languages=list(inputs.reference_tags().values()),
        note=as_is(CONFIG["published_note"]),
    shell:
        "python -m morpos.workflow published --tags {input.tags:q} --languages {params.languages}"
        " --published-tags {input.published_tags:q} --note={params.note:q} --output {output.tsv:q}"
        " --output-tags {output.tags:q} --markdown {output.markdown:q} --latex {output.latex:q}"
        " -- {input.summary:q} {input.published:q} 2> {log:q}"


rule grid:
    input:
        expand("{run}/breakdown.tsv", run=RUNS),
    output:
        table=f"{RESULTS}/grid.tsv",
        choices=f"{RESULTS}/grid.choices.tsv",
    log:
        log_path("grid", "", RESULTS),
    benchmark:
        benchmark_path("grid", "", RESULTS)
    conda:
        ENVIRONMENT
    params:
        code=implementation("grid"),
        setups=[name or "default" for name in PROJECT.setups],
    shell:
        "python -m morpos.workflow grid --setups {params.setups:q} --output {output.table:q}"
        " --choices {output.choices:q} -- {input:q} 2> {log:q}"
