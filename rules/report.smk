# One page for people.


rule report:
    input:
        summary=f"{RESULTS}/summary.tsv",
        left_out_documents=f"{RESULTS}/summary.left_out.tsv",
        breakdown=f"{RESULTS}/breakdown.tsv",
        published=rules.published.output.tsv if CONFIG["published"] else [],
        tags=rules.published.output.tags if CONFIG["published"] else [],
        correlations=rules.correlations_all.input,
        left_out_systems=expand(
            f"{RESULTS}/correlations/{{document}}.left_out.tsv", document=JUDGED
        ),
        scores=rules.scores_all.input,
        texts=expand(f"{RESULTS}/texts/{{document}}.tsv", document=DOCUMENTS),
        findings=rules.check.input,
    output:
        report(f"{RESULTS}/report.html", category="Report"),
    log:
        f"{RESULTS}/logs/report.log",
    benchmark:
        f"{RESULTS}/benchmarks/report.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("report"),
        options=report_options,
    shell:
        "python -m morpos report {params.options} --output {output:q} --summary {input.summary:q}"
        " --left-out-documents {input.left_out_documents:q} --correlations {input.correlations:q}"
        " --left-out-systems {input.left_out_systems:q} --scores {input.scores:q}"
        " --texts {input.texts:q} --findings {input.findings:q} --breakdown {input.breakdown:q} 2> {log:q}"
