# The same numbers in other forms, for other programs and for people.

# The tables that are exported. Those with baselines are exported if the configuration lists some.
EXPORTED = {"scores": rules.scores_all.input}
if JUDGED:
    EXPORTED["correlations"] = rules.correlations_all.input
    EXPORTED["summary"] = f"{RESULTS}/summary.tsv"
if CONFIG["baselines"]:
    EXPORTED["baseline_scores"] = expand(
        f"{RESULTS}/baselines/{{testset}}.tsv", testset=TESTSETS
    )
    if JUDGED:
        EXPORTED["baseline_correlations"] = rules.baseline_summary.input
        EXPORTED["baseline_summary"] = rules.baseline_summary.output.summary


rule export:
    input:
        lambda wildcards: EXPORTED[wildcards.kind],
    output:
        f"{RESULTS}/exports/{{kind}}.{{ending}}",
    log:
        log_path("export", "{kind}.{ending}", RESULTS),
    benchmark:
        benchmark_path("export", "{kind}.{ending}", RESULTS)
    conda:
        lambda wildcards: environment(wildcards.ending)
    params:
        code=implementation("export"),
    shell:
        "python -m morpos.workflow export --kind={wildcards.kind} --output {output:q} -- {input:q} 2> {log:q}"


rule submissions:
    input:
        unpack(inputs.submissions_files),
    output:
        mtme=directory(f"{RESULTS}/exports/mt-metrics-eval/{{testset}}"),
        wmt22=directory(f"{RESULTS}/exports/wmt22/{{testset}}"),
    log:
        log_path("submissions", "{testset}", RESULTS),
    benchmark:
        benchmark_path("submissions", "{testset}", RESULTS)
    conda:
        ENVIRONMENT
    params:
        **JUDGMENTS,
        code=implementation("submissions"),
        references=JUDGED_REFERENCES,
    shell:
        "python -m morpos.workflow submissions --testset={wildcards.testset:q}"
        " --format={params.format} --source={params.source:q} --target={params.target:q}"
        " --domain={params.domain:q} --lower-is-better={params.lower_is_better}"
        " --rule={params.rule} --sha256 {params.sha256}"
        " --judged-references {params.references:q}"
        " --metrics {input.metrics:q} --counts {input.counts:q} --texts {input.texts:q}"
        " --baselines {input.baselines:q} --extra {input.extra:q}"
        " --references {input.references:q} --mt-metrics-eval {output.mtme:q}"
        " --wmt22 {output.wmt22:q} -- {input.judgments:q} 2> {log:q}"


rule exports:
    input:
        expand(
            f"{RESULTS}/exports/{{kind}}.{{ending}}",
            kind=EXPORTED,
            ending=CONFIG["exports"],
        ),
        expand(f"{RESULTS}/exports/mt-metrics-eval/{{testset}}", testset=TESTSETS),
        expand(f"{RESULTS}/exports/wmt22/{{testset}}", testset=TESTSETS),
