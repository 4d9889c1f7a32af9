# HTML pages for people: an index, and one page a test set, each one file without network.


rule chart_library:
    output:
        f"{RESULTS}/report/vega.js",
    log:
        log_path("chart_library", "", RESULTS),
    benchmark:
        benchmark_path("chart_library", "", RESULTS)
    conda:
        ENVIRONMENT
    params:
        code=implementation("chart_library"),
    shell:
        "python -m morpos.workflow chart_library --output {output:q} 2> {log:q}"


rule disagreements:
    input:
        unpack(inputs.evaluation_files),
    output:
        f"{RESULTS}/disagreements/{{testset}}.tsv",
    log:
        log_path("disagreements", "{testset}", RESULTS),
    benchmark:
        benchmark_path("disagreements", "{testset}", RESULTS)
    conda:
        ENVIRONMENT
    params:
        **JUDGMENTS,
        code=implementation("disagreements"),
        references=JUDGED_REFERENCES,
    shell:
        "python -m morpos.workflow disagreements --testset={wildcards.testset:q}"
        " --format={params.format} --source={params.source:q} --target={params.target:q}"
        " --domain={params.domain:q} --lower-is-better={params.lower_is_better}"
        " --rule={params.rule} --sha256 {params.sha256}"
        " --judged-references {params.references:q}"
        " --metrics {input.metrics:q} --output {output:q} --counts {input.counts:q}"
        " -- {input.judgments:q} 2> {log:q}"


rule report_testset:
    input:
        unpack(inputs.report_testset_files),
        library=rules.chart_library.output,
    output:
        report(
            f"{RESULTS}/report/{{testset}}.html",
            category="Test sets",
            labels={"test set": "{testset}"},
        ),
    log:
        log_path("report_testset", "{testset}", RESULTS),
    benchmark:
        benchmark_path("report_testset", "{testset}", RESULTS)
    conda:
        ENVIRONMENT
    params:
        code=implementation("report_testset"),
        title=as_is(CONFIG["title"]),
        notice=as_is(CONFIG["notice"] or ""),
        source=lambda wildcards: inputs.testset(wildcards).source,
        target=lambda wildcards: inputs.testset(wildcards).target,
        order=PROJECT.order,
        layers=PROJECT.layers,
    shell:
        "python -m morpos.workflow report_testset --title={params.title:q} --notice={params.notice:q}"
        " --testset={wildcards.testset:q} --source={params.source} --target={params.target}"
        " --order={params.order} --library {input.library:q} --scores {input.scores:q}"
        " --texts {input.texts:q} --disagreements {input.disagreements:q} --human {input.human:q}"
        " --correlations {input.correlations:q} --left-out-systems {input.left_out_systems:q}"
        " --intervals {input.intervals:q} --coefficients {input.coefficients:q}"
        " --layers {params.layers:q} --systems {input.first:q} --references {input.references:q}"
        " --output {output:q} 2> {log:q}"


rule report:
    input:
        **inputs.report_tables(),
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
        log_path("report", "", RESULTS),
    benchmark:
        benchmark_path("report", "", RESULTS)
    conda:
        ENVIRONMENT
    params:
        code=implementation("report"),
        title=as_is(CONFIG["title"]),
        notice=as_is(CONFIG["notice"] or ""),
        note=as_is(CONFIG["published_note"]),
    shell:
        "python -m morpos.workflow report --title={params.title:q} --notice={params.notice:q}"
        " --note={params.note:q} --library {input.library:q} --output {output:q}"
        " --texts {input.texts:q} --findings {input.findings:q}"
        " --correlations {input.correlations:q} --left-out-systems {input.left_out_systems:q}"
        " --summary {input.summary:q} --left-out-testsets {input.left_out_testsets:q}"
        " --breakdown {input.breakdown:q} --published {input.published:q} --tags {input.tags:q}"
        " 2> {log:q}"


# Without an output or a benchmark, so that it runs, after all else, whenever it is asked for. What it reads, logs
# and benchmarks, are no inputs of any rule.
rule resources:
    input:
        rules.scores_all.input,
        rules.correlations_all.input,
        inputs.report_files(),
    log:
        log_path("resources", "", RESULTS),
    localrule: True
    conda:
        ENVIRONMENT
    params:
        runs=list(RUNS),
        output=f"{RESULTS}/resources.tsv",
    shell:
        "python -m morpos.workflow resources --output {params.output:q} -- {params.runs:q} 2> {log:q}"
