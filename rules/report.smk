# HTML pages for people: an index, and one page a test set, each one file without network.


rule chart_library:
    output:
        f"{RESULTS}/report/vega.js",
    log:
        f"{RESULTS}/logs/chart_library.log",
    benchmark:
        f"{RESULTS}/benchmarks/chart_library.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("chart_library"),
    shell:
        "python -m morpos.workflow chart_library --output {output:q} 2> {log:q}"


rule disagreements:
    input:
        judgments=lambda wildcards: testset_of(wildcards).judgments or [],
        counts=counts_of,
        metrics=f"{RESULTS}/metrics.json",
    output:
        f"{RESULTS}/disagreements/{{testset}}.tsv",
    log:
        f"{RESULTS}/logs/disagreements/{{testset}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/disagreements/{{testset}}.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("disagreements"),
        options=disagreements_options,
    shell:
        "python -m morpos.workflow disagreements {params.options} --testset {wildcards.testset:q}"
        " --metrics {input.metrics:q} --output {output:q} --counts {input.counts:q}"
        " -- {input.judgments:q} 2> {log:q}"


rule report_testset:
    input:
        unpack(report_testset_input),
        library=rules.chart_library.output,
    output:
        report(
            f"{RESULTS}/report/{{testset}}.html",
            category="Test sets",
            labels={"test set": "{testset}"},
        ),
    log:
        f"{RESULTS}/logs/report_testset/{{testset}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/report_testset/{{testset}}.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("report_testset"),
        options=report_testset_options,
    shell:
        "python -m morpos.workflow report_testset {params.options} --testset {wildcards.testset:q}"
        " --library {input.library:q} --output {output:q} 2> {log:q}"


rule report:
    input:
        **report_tables(),
        correlations=rules.correlations_all.input,
        left_out_systems=expand(
            f"{RESULTS}/correlations/{{testset}}.left_out.tsv", testset=JUDGED
        ),
        texts=expand(f"{RESULTS}/texts/{{testset}}.tsv", testset=TESTSETS),
        findings=rules.check.input,
        # Not read: the index leads to them, and tells what they took.
        testsets=expand(rules.report_testset.output, testset=TESTSETS),
        library=rules.chart_library.output,
    output:
        report(f"{RESULTS}/report.html", category="Index"),
    log:
        f"{RESULTS}/logs/report.log",
    benchmark:
        f"{RESULTS}/benchmarks/report.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("report"),
        options=report_options,
        results=lambda wildcards, output: str(Path(output[0]).parent),
    shell:
        "python -m morpos.workflow report {params.options} --results {params.results:q}"
        " --library {input.library:q} --output {output:q} --texts {input.texts:q}"
        " --findings {input.findings:q} --correlations {input.correlations:q} --left-out-systems {input.left_out_systems:q}"
        " 2> {log:q}"


# Without an output, so that it runs, after all else, whenever it is asked for.
rule resources:
    input:
        rules.scores_all.input,
        rules.correlations_all.input,
        report_files(),
    log:
        f"{RESULTS}/logs/resources.log",
    benchmark:
        f"{RESULTS}/benchmarks/resources.tsv"
    localrule: True
    conda:
        ENVIRONMENT
    params:
        runs=list(RUNS),
        output=f"{RESULTS}/resources.tsv",
    shell:
        "python -m morpos.workflow resources --output {params.output:q} -- {params.runs:q} 2> {log:q}"
