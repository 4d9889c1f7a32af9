# Tests and intervals, which the report shows unless it is told not to; and what is only made when it
# is asked for: segment level, agreement, baselines, claims, orders and exports. docs/statistics.md
# explains the tables.


rule system_tests:
    input:
        counts=counts_of,
        metrics=f"{RESULTS}/metrics.json",
    output:
        intervals=f"{RESULTS}/significance/{{testset}}.intervals.tsv",
        pairs=f"{RESULTS}/significance/{{testset}}.pairs.tsv",
    log:
        f"{RESULTS}/logs/system_tests/{{testset}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/system_tests/{{testset}}.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("system_tests"),
        options=statistics_options,
    shell:
        "python -m morpos.workflow system_tests {params.options} --testset {wildcards.testset:q}"
        " --metrics {input.metrics:q} --intervals {output.intervals:q} --pairs {output.pairs:q}"
        " -- {input.counts:q} 2> {log:q}"


rule metric_tests:
    input:
        judgments=lambda wildcards: testset_of(wildcards).judgments,
        counts=counts_of,
        metrics=f"{RESULTS}/metrics.json",
    output:
        coefficients=f"{RESULTS}/significance/{{testset}}.coefficients.tsv",
        tests=f"{RESULTS}/significance/{{testset}}.metrics.tsv",
        without_one=f"{RESULTS}/significance/{{testset}}.without_one.tsv",
        stability=f"{RESULTS}/significance/{{testset}}.stability.tsv",
        variants=f"{RESULTS}/significance/{{testset}}.variants.tsv",
    log:
        f"{RESULTS}/logs/metric_tests/{{testset}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/metric_tests/{{testset}}.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("metric_tests"),
        options=metric_tests_options,
    shell:
        "python -m morpos.workflow metric_tests {params.options} --testset {wildcards.testset:q}"
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
        f"{RESULTS}/logs/accuracy.log",
    benchmark:
        f"{RESULTS}/benchmarks/accuracy.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("accuracy"),
    shell:
        "python -m morpos.workflow accuracy --output {output:q} -- {input:q} 2> {log:q}"


rule significance:
    input:
        expand(f"{RESULTS}/significance/{{testset}}.pairs.tsv", testset=TESTSETS),
        rules.accuracy.output if JUDGED else [],


rule segment_level:
    input:
        unpack(segment_level_input),
    output:
        f"{RESULTS}/segments/{{testset}}.tsv",
    log:
        f"{RESULTS}/logs/segment_level/{{testset}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/segment_level/{{testset}}.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("segment_level"),
        options=judged_options,
        seed=CONFIG["statistics"]["seed"],
    shell:
        "python -m morpos.workflow segment_level {params.options} --seed {params.seed}"
        " --testset {wildcards.testset:q} --metrics {input.metrics:q} --counts {input.counts:q}"
        " --baselines {input.baselines:q} --extra {input.extra:q}"
        " --output {output:q} -- {input.judgments:q} 2> {log:q}"


rule agreement:
    input:
        unpack(human_input),
    output:
        kappa=f"{RESULTS}/agreement/{{testset}}.tsv",
        intervals=f"{RESULTS}/agreement/{{testset}}.human.tsv",
    log:
        f"{RESULTS}/logs/agreement/{{testset}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/agreement/{{testset}}.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("agreement"),
        options=judged_options,
        drawn=statistics_options,
    shell:
        "python -m morpos.workflow agreement {params.options} {params.drawn}"
        " --testset {wildcards.testset:q} --reference-facts {input.facts:q}"
        " --kappa {output.kappa:q} --intervals {output.intervals:q} -- {input.judgments:q}"
        " 2> {log:q}"


rule segments:
    input:
        expand(f"{RESULTS}/segments/{{testset}}.tsv", testset=JUDGED),
        expand(f"{RESULTS}/agreement/{{testset}}.tsv", testset=JUDGED),


rule order_table:
    input:
        counts_of,
    output:
        f"{RESULTS}/orders/{{testset}}.tsv",
    log:
        f"{RESULTS}/logs/order_table/{{testset}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/order_table/{{testset}}.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("order_table"),
    shell:
        "python -m morpos.workflow order_table --testset {wildcards.testset:q} --output {output:q}"
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
            f"{RESULTS}/logs/claims.log",
        benchmark:
            f"{RESULTS}/benchmarks/claims.tsv"
        conda:
            ENVIRONMENT
        params:
            implementation=implementation("claims"),
            options=statistics_options,
        shell:
            "python -m morpos.workflow claims {params.options} --output {output:q} -- {input.claims:q}"
            " {input.correlations:q} 2> {log:q}"


# One job a system and baseline: TER takes minutes a system.
rule baseline:
    input:
        text=f"{RESULTS}/texts/{{testset}}/{{system}}.txt",
        facts=f"{RESULTS}/texts/{{testset}}/{{system}}.json",
        references=reference_texts,
    output:
        f"{RESULTS}/baselines/{{baseline}}/{{testset}}/{{system}}.json",
    log:
        f"{RESULTS}/logs/baseline/{{baseline}}/{{testset}}/{{system}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/baseline/{{baseline}}/{{testset}}/{{system}}.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("baseline"),
    shell:
        "python -m morpos.workflow baseline --baseline {wildcards.baseline:q} --output {output:q}"
        " -- {input.text:q} {input.references:q} 2> {log:q}"


rule baseline_table:
    input:
        unpack(baseline_table_input),
    output:
        table=f"{RESULTS}/baselines/{{testset}}.tsv",
        segments=f"{RESULTS}/baselines/{{testset}}.segments.tsv.gz",
    log:
        f"{RESULTS}/logs/baseline_table/{{testset}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/baseline_table/{{testset}}.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("baseline_table"),
    shell:
        "python -m morpos.workflow baseline_table --testset {wildcards.testset:q} --metrics {input.metrics:q}"
        " --baselines {input.baselines:q} --extra {input.extra:q} --systems {input.systems:q}"
        " --reference-facts {input.facts:q} --output {output.table:q}"
        " --segments {output.segments:q} 2> {log:q}"


# The same steps as for our metrics alone, so that ranks are among all of them.
use rule correlations as baseline_correlations with:
    input:
        scores=f"{RESULTS}/scores/{{testset}}.tsv",
        human=f"{RESULTS}/human/{{testset}}.tsv",
        further=f"{RESULTS}/baselines/{{testset}}.tsv",
    output:
        correlations=f"{RESULTS}/baselines/correlations/{{testset}}.tsv",
        left_out=f"{RESULTS}/baselines/correlations/{{testset}}.left_out.tsv",
    log:
        f"{RESULTS}/logs/baseline_correlations/{{testset}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/baseline_correlations/{{testset}}.tsv"
    params:
        implementation=implementation("correlations"),
        options=lambda wildcards, input: (
            f"{correlations_options(wildcards)} {flags(further=input.further)}"
        ),


use rule summary as baseline_summary with:
    input:
        expand(f"{RESULTS}/baselines/correlations/{{testset}}.tsv", testset=JUDGED),
    output:
        summary=f"{RESULTS}/baselines/summary.tsv",
        left_out=f"{RESULTS}/baselines/summary.left_out.tsv",
        breakdown=f"{RESULTS}/baselines/breakdown.tsv",
    log:
        f"{RESULTS}/logs/baseline_summary.log",
    benchmark:
        f"{RESULTS}/benchmarks/baseline_summary.tsv"


rule baselines:
    input:
        expand(f"{RESULTS}/baselines/{{testset}}.tsv", testset=TESTSETS),
        rules.baseline_summary.output if JUDGED else [],


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
        f"{RESULTS}/logs/export/{{kind}}.{{ending}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/export/{{kind}}.{{ending}}.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("export"),
    shell:
        "python -m morpos.workflow export --kind {wildcards.kind} --output {output:q} -- {input:q} 2> {log:q}"


rule layouts:
    input:
        unpack(layouts_input),
    output:
        mtme=directory(f"{RESULTS}/exports/mt-metrics-eval/{{testset}}"),
        wmt22=directory(f"{RESULTS}/exports/wmt22/{{testset}}"),
    log:
        f"{RESULTS}/logs/layouts/{{testset}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/layouts/{{testset}}.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("layouts"),
        options=layouts_options,
    shell:
        "python -m morpos.workflow layouts {params.options} --testset {wildcards.testset:q}"
        " --metrics {input.metrics:q} --counts {input.counts:q} --texts {input.texts:q}"
        " --baselines {input.baselines:q} --extra {input.extra:q}"
        " --originals {input.references:q} --mt-metrics-eval {output.mtme:q}"
        " --wmt22 {output.wmt22:q} -- {input.judgments:q} 2> {log:q}"


rule exports:
    input:
        expand(
            f"{RESULTS}/exports/{{kind}}.{{ending}}",
            kind=EXPORTED,
            ending=CONFIG["exports"],
        ),
        expand(f"{RESULTS}/exports/wmt22/{{testset}}", testset=TESTSETS),
