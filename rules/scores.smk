# n-gram counts of every system, and from them alone the scores of a test set. `run` is the folder
# of the results, or of a point of the grid.


rule counts:
    input:
        unpack(inputs.counts_files),
    output:
        "{run}/counts/{testset}/{system}.npz",
    log:
        log_path("counts", "{testset}/{system}", "{run}"),
    benchmark:
        benchmark_path("counts", "{testset}/{system}", "{run}")
    conda:
        ENVIRONMENT
    params:
        code=implementation("counts"),
        layers=PROJECT.layers,
        order=PROJECT.order,
    shell:
        "python -m morpos.workflow counts --order={params.order} --layers {params.layers:q}"
        " --files {input.layers:q} --output {output:q} -- {input.text:q} 2> {log:q}"


rule metrics:
    output:
        inputs.metrics,
    log:
        log_path("metrics", "", RESULTS),
    benchmark:
        benchmark_path("metrics", "", RESULTS)
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
        unpack(inputs.scores_files),
    output:
        scores="{run}/scores/{testset}.tsv",
        segments="{run}/segment_scores/{testset}.tsv.gz",
        texts="{run}/texts/{testset}.tsv",
    log:
        log_path("scores", "{testset}", "{run}"),
    benchmark:
        benchmark_path("scores", "{testset}", "{run}")
    conda:
        ENVIRONMENT
    params:
        code=implementation("scores"),
    shell:
        "python -m morpos.workflow scores --testset={wildcards.testset:q} --metrics {input.metrics:q}"
        " --references {input.references:q} --scores {output.scores:q}"
        " --segments {output.segments:q} --texts {output.texts:q} -- {input.counts:q} 2> {log:q}"


rule scores_all:
    input:
        expand(f"{RESULTS}/scores/{{testset}}.tsv", testset=TESTSETS),
