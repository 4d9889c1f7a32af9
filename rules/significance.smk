# Intervals and tests, which the report shows unless it is told not to; and what is only made when it
# is asked for: segment level, agreement, orders and claims. docs/statistics.md explains the tables.


rule system_tests:
    input:
        counts=inputs.counts,
        metrics=inputs.metrics,
    output:
        intervals=f"{RESULTS}/significance/{{testset}}.intervals.tsv",
        pairs=f"{RESULTS}/significance/{{testset}}.pairs.tsv",
    log:
        log_path("system_tests", "{testset}", RESULTS),
    benchmark:
        benchmark_path("system_tests", "{testset}", RESULTS)
    conda:
        ENVIRONMENT
    params:
        code=implementation("system_tests"),
        samples=STATISTICS["samples"],
        seed=STATISTICS["seed"],
    shell:
        "python -m morpos.workflow system_tests --samples={params.samples} --seed={params.seed}"
        " --testset={wildcards.testset:q}"
        " --metrics {input.metrics:q} --intervals {output.intervals:q} --pairs {output.pairs:q}"
        " -- {input.counts:q} 2> {log:q}"


rule metric_tests:
    input:
        unpack(inputs.evaluation_files),
    output:
        coefficients=f"{RESULTS}/significance/{{testset}}.coefficients.tsv",
        tests=f"{RESULTS}/significance/{{testset}}.metrics.tsv",
        without_one=f"{RESULTS}/significance/{{testset}}.without_one.tsv",
        stability=f"{RESULTS}/significance/{{testset}}.stability.tsv",
        variants=f"{RESULTS}/significance/{{testset}}.variants.tsv",
    log:
        log_path("metric_tests", "{testset}", RESULTS),
    benchmark:
        benchmark_path("metric_tests", "{testset}", RESULTS)
    conda:
        ENVIRONMENT
    params:
        **JUDGMENTS,
        code=implementation("metric_tests"),
        references=JUDGED_REFERENCES,
        samples=STATISTICS["samples"],
        seed=STATISTICS["seed"],
        human=STATISTICS["human"],
    shell:
        "python -m morpos.workflow metric_tests --testset={wildcards.testset:q}"
        " --format={params.format} --source={params.source:q} --target={params.target:q}"
        " --domain={params.domain:q} --lower-is-better={params.lower_is_better}"
        " --rule={params.rule} --sha256 {params.sha256}"
        " --judged-references {params.references:q}"
        " --samples={params.samples} --seed={params.seed} --human={params.human}"
        " --metrics {input.metrics:q} --counts {input.counts:q}"
        " --coefficients {output.coefficients:q} --tests {output.tests:q}"
        " --without-one {output.without_one:q} --stability {output.stability:q}"
        " --variants {output.variants:q} -- {input.judgments:q} 2> {log:q}"


rule accuracy:
    input:
        expand(f"{RESULTS}/significance/{{testset}}.coefficients.tsv", testset=JUDGED),
    output:
        f"{RESULTS}/significance/accuracy.tsv",
    log:
        log_path("accuracy", "", RESULTS),
    benchmark:
        benchmark_path("accuracy", "", RESULTS)
    conda:
        ENVIRONMENT
    params:
        code=implementation("accuracy"),
    shell:
        "python -m morpos.workflow accuracy --output {output:q} -- {input:q} 2> {log:q}"


rule significance:
    input:
        expand(f"{RESULTS}/significance/{{testset}}.pairs.tsv", testset=TESTSETS),
        rules.accuracy.output if JUDGED else [],


rule segment_level:
    input:
        unpack(inputs.segment_level_files),
    output:
        table=f"{RESULTS}/segments/{{testset}}.tsv",
        left_out=f"{RESULTS}/segments/{{testset}}.left_out.tsv",
    log:
        log_path("segment_level", "{testset}", RESULTS),
    benchmark:
        benchmark_path("segment_level", "{testset}", RESULTS)
    conda:
        ENVIRONMENT
    params:
        **JUDGMENTS,
        code=implementation("segment_level"),
        references=JUDGED_REFERENCES,
        seed=STATISTICS["seed"],
    shell:
        "python -m morpos.workflow segment_level --testset={wildcards.testset:q}"
        " --format={params.format} --source={params.source:q} --target={params.target:q}"
        " --domain={params.domain:q} --lower-is-better={params.lower_is_better}"
        " --rule={params.rule} --sha256 {params.sha256}"
        " --judged-references {params.references:q}"
        " --seed={params.seed} --metrics {input.metrics:q} --counts {input.counts:q}"
        " --baselines {input.baselines:q} --extra {input.extra:q}"
        " --output {output.table:q} --left-out {output.left_out:q} -- {input.judgments:q} 2> {log:q}"


rule agreement:
    input:
        unpack(inputs.human_files),
    output:
        kappa=f"{RESULTS}/agreement/{{testset}}.tsv",
        intervals=f"{RESULTS}/agreement/{{testset}}.human.tsv",
    log:
        log_path("agreement", "{testset}", RESULTS),
    benchmark:
        benchmark_path("agreement", "{testset}", RESULTS)
    conda:
        ENVIRONMENT
    params:
        **JUDGMENTS,
        code=implementation("agreement"),
        references=JUDGED_REFERENCES,
        samples=STATISTICS["samples"],
        seed=STATISTICS["seed"],
    shell:
        "python -m morpos.workflow agreement --testset={wildcards.testset:q}"
        " --format={params.format} --source={params.source:q} --target={params.target:q}"
        " --domain={params.domain:q} --lower-is-better={params.lower_is_better}"
        " --rule={params.rule} --sha256 {params.sha256}"
        " --judged-references {params.references:q}"
        " --samples={params.samples} --seed={params.seed} --reference-facts {input.facts:q}"
        " --kappa {output.kappa:q} --intervals {output.intervals:q} -- {input.judgments:q}"
        " 2> {log:q}"


rule segments:
    input:
        expand(f"{RESULTS}/segments/{{testset}}.tsv", testset=JUDGED),
        expand(f"{RESULTS}/agreement/{{testset}}.tsv", testset=JUDGED),


rule order_table:
    input:
        inputs.counts,
    output:
        f"{RESULTS}/orders/{{testset}}.tsv",
    log:
        log_path("order_table", "{testset}", RESULTS),
    benchmark:
        benchmark_path("order_table", "{testset}", RESULTS)
    conda:
        ENVIRONMENT
    params:
        code=implementation("order_table"),
    shell:
        "python -m morpos.workflow order_table --testset={wildcards.testset:q} --output {output:q}"
        " -- {input:q} 2> {log:q}"


rule orders:
    input:
        expand(f"{RESULTS}/orders/{{testset}}.tsv", testset=TESTSETS),


if CONFIG["claims"]:

    rule claims:
        input:
            claims=CONFIG["claims"],
            correlations=rules.correlations_all.input,
        output:
            f"{RESULTS}/claims.tsv",
        log:
            log_path("claims", "", RESULTS),
        benchmark:
            benchmark_path("claims", "", RESULTS)
        conda:
            ENVIRONMENT
        params:
            code=implementation("claims"),
            samples=STATISTICS["samples"],
            seed=STATISTICS["seed"],
        shell:
            "python -m morpos.workflow claims --samples={params.samples} --seed={params.seed}"
            " --output {output:q} -- {input.claims:q} {input.correlations:q} 2> {log:q}"
