# Well-known metrics, and scores that are given as a file, to stand beside ours.


# One job a system and baseline: TER takes minutes a system.
rule baseline:
    input:
        text=f"{RESULTS}/texts/{{testset}}/{{system}}.txt",
        facts=f"{RESULTS}/texts/{{testset}}/{{system}}.json",
        references=inputs.references,
    output:
        f"{RESULTS}/baselines/{{baseline}}/{{testset}}/{{system}}.json",
    log:
        log_path("baseline", "{baseline}/{testset}/{system}", RESULTS),
    benchmark:
        benchmark_path("baseline", "{baseline}/{testset}/{system}", RESULTS)
    conda:
        ENVIRONMENT
    params:
        code=implementation("baseline"),
    shell:
        "python -m morpos.workflow baseline --baseline={wildcards.baseline:q} --output {output:q}"
        " -- {input.text:q} {input.references:q} 2> {log:q}"


rule baseline_table:
    input:
        unpack(inputs.baseline_table_files),
    output:
        table=f"{RESULTS}/baselines/{{testset}}.tsv",
        segments=f"{RESULTS}/baselines/{{testset}}.segments.tsv.gz",
        left_out=f"{RESULTS}/baselines/{{testset}}.left_out.tsv",
    log:
        log_path("baseline_table", "{testset}", RESULTS),
    benchmark:
        benchmark_path("baseline_table", "{testset}", RESULTS)
    conda:
        ENVIRONMENT
    params:
        code=implementation("baseline_table"),
    shell:
        "python -m morpos.workflow baseline_table --testset={wildcards.testset:q} --metrics {input.metrics:q}"
        " --baselines {input.baselines:q} --extra {input.extra:q} --systems {input.systems:q}"
        " --reference-facts {input.facts:q} --output {output.table:q}"
        " --segments {output.segments:q} --left-out {output.left_out:q} 2> {log:q}"


# The same steps as for our metrics alone, so that ranks are among all of them.
use rule correlations as baseline_correlations with:
    input:
        scores=f"{RESULTS}/scores/{{testset}}.tsv",
        human=f"{RESULTS}/human/{{testset}}.tsv",
        external=f"{RESULTS}/baselines/{{testset}}.tsv",
    output:
        correlations=f"{RESULTS}/baselines/correlations/{{testset}}.tsv",
        left_out=f"{RESULTS}/baselines/correlations/{{testset}}.left_out.tsv",
    log:
        log_path("baseline_correlations", "{testset}", RESULTS),
    benchmark:
        benchmark_path("baseline_correlations", "{testset}", RESULTS)


use rule summary as baseline_summary with:
    input:
        expand(f"{RESULTS}/baselines/correlations/{{testset}}.tsv", testset=JUDGED),
    output:
        summary=f"{RESULTS}/baselines/summary.tsv",
        left_out=f"{RESULTS}/baselines/summary.left_out.tsv",
        breakdown=f"{RESULTS}/baselines/breakdown.tsv",
    log:
        log_path("baseline_summary", "", RESULTS),
    benchmark:
        benchmark_path("baseline_summary", "", RESULTS)


rule baselines:
    input:
        expand(f"{RESULTS}/baselines/{{testset}}.tsv", testset=TESTSETS),
        rules.baseline_summary.output if JUDGED else [],
