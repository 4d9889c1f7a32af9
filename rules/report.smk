# One page for people.


rule report:
    input:
        summary=f"{RESULTS}/summary.tsv",
        left_out_documents=f"{RESULTS}/summary.left_out.tsv",
        correlations=rules.correlations_all.input,
        left_out_systems=expand(
            f"{RESULTS}/correlations/{{document}}.left_out.tsv", document=JUDGED
        ),
        scores=rules.scores_all.input,
        texts=expand(f"{RESULTS}/texts/{{document}}.tsv", document=DOCUMENTS),
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
        options=flags(title=CONFIG["title"], notice=CONFIG["notice"]),
    shell:
        "python -m morpos report {params.options} --output {output:q} --summary {input.summary:q}"
        " --left-out-documents {input.left_out_documents:q} --correlations {input.correlations:q}"
        " --left-out-systems {input.left_out_systems:q} --scores {input.scores:q}"
        " --texts {input.texts:q} 2> {log:q}"
