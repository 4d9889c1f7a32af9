# n-gram counts of every system, and from them alone the scores of a test set. `run` is the folder
# of the results, or of a point of the grid.


rule counts:
    input:
        unpack(counts_input),
    output:
        "{run}/counts/{testset}/{system}.npz",
    log:
        "{run}/logs/counts/{testset}/{system}.log",
    benchmark:
        "{run}/benchmarks/counts/{testset}/{system}.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("counts"),
        options=counts_options,
    shell:
        "python -m morpos.workflow counts {params.options} --output {output:q} -- {input.text:q} 2> {log:q}"


rule metrics:
    output:
        f"{RESULTS}/metrics.json",
    log:
        f"{RESULTS}/logs/metrics.log",
    benchmark:
        f"{RESULTS}/benchmarks/metrics.tsv"
    localrule: True
    conda:
        ENVIRONMENT
    # By content: where the table lies, and its comments, are no reason to score anew.
    params:
        table=lambda wildcards: PROJECT.metric_table,
    shell:
        "printf '%s\\n' {params.table:q} > {output:q}.part 2> {log:q}"
        " && mv {output:q}.part {output:q}"


rule scores:
    input:
        unpack(scores_input),
    output:
        scores="{run}/scores/{testset}.tsv",
        segments="{run}/segment_scores/{testset}.tsv.gz",
        texts="{run}/texts/{testset}.tsv",
    log:
        "{run}/logs/scores/{testset}.log",
    benchmark:
        "{run}/benchmarks/scores/{testset}.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("scores"),
    shell:
        "python -m morpos.workflow scores --testset {wildcards.testset:q} --metrics {input.metrics:q}"
        " --references {input.references:q} --scores {output.scores:q}"
        " --segments {output.segments:q} --texts {output.texts:q} -- {input.counts:q} 2> {log:q}"


rule scores_all:
    input:
        expand(f"{RESULTS}/scores/{{testset}}.tsv", testset=TESTSETS),
