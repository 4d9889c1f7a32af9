# What is silently wrong with texts and judgments (docs/check.md). Nothing but the report depends on
# it, and a test set at a time: one more system checks that test set again, and no other.


rule findings:
    input:
        unpack(findings_input),
    output:
        f"{RESULTS}/findings/{{testset}}.tsv",
    log:
        f"{RESULTS}/logs/findings/{{testset}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/findings/{{testset}}.tsv"
    # Before the long work: a person who watches can still stop it.
    priority: 1
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("findings"),
        options=findings_options,
    shell:
        "python -m morpos.workflow findings {params.options} --testset {wildcards.testset:q}"
        " --originals {input.references:q} --texts {input.texts:q} --output {output:q}"
        " -- {input.judgments:q} 2> {log:q}"


rule check:
    input:
        expand(f"{RESULTS}/findings/{{testset}}.tsv", testset=TESTSETS),
