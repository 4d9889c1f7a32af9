# What is silently wrong with texts and judgments (docs/check.md). Nothing but the report depends on
# it, and a document at a time: one more system checks that document again, and no other.


rule findings:
    input:
        unpack(findings_input),
    output:
        f"{RESULTS}/findings/{{document}}.tsv",
    log:
        f"{RESULTS}/logs/findings/{{document}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/findings/{{document}}.tsv"
    # Before the long work: a person who watches can still stop it.
    priority: 1
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("findings"),
        options=findings_options,
    shell:
        "python -m morpos findings {params.options} --document {wildcards.document:q}"
        " --originals {input.references:q} --texts {input.texts:q} --output {output:q}"
        " -- {input.judgments:q} 2> {log:q}"


rule check:
    input:
        expand(f"{RESULTS}/findings/{{document}}.tsv", document=DOCUMENTS),
