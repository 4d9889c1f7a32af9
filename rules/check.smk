# What is silently wrong with texts and judgments (docs/check.md). Nothing but the report depends on
# it, and a test set at a time: one more system checks that test set again, and no other.


rule findings:
    input:
        unpack(inputs.findings_files),
    output:
        f"{RESULTS}/findings/{{testset}}.tsv",
    log:
        log_path("findings", "{testset}", RESULTS),
    benchmark:
        benchmark_path("findings", "{testset}", RESULTS)
    # Before the long work: a person who watches can still stop it.
    priority: 1
    conda:
        ENVIRONMENT
    params:
        **JUDGMENTS,
        code=implementation("findings"),
        references=JUDGED_REFERENCES,
    shell:
        "python -m morpos.workflow findings --testset={wildcards.testset:q}"
        " --format={params.format} --source={params.source:q} --target={params.target:q}"
        " --domain={params.domain:q} --lower-is-better={params.lower_is_better}"
        " --rule={params.rule} --judged-references {params.references:q}"
        " --sha256 {params.sha256} --references {input.references:q} --texts {input.texts:q}"
        " --output {output:q} -- {input.judgments:q} 2> {log:q}"


rule check:
    input:
        expand(f"{RESULTS}/findings/{{testset}}.tsv", testset=TESTSETS),
