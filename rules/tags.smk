# The POS layer: one tag for each word.


rule tags:
    input:
        f"{RESULTS}/words/{{text}}.txt",
    output:
        tags=f"{RESULTS}/tags/{{text}}.txt",
        facts=f"{RESULTS}/tags/{{text}}.json",
    log:
        f"{RESULTS}/logs/tags/{{text}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/tags/{{text}}.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("tags"),
        options=lambda wildcards: flags(
            language=text_of(wildcards).language,
            **PROJECT.tagging(text_of(wildcards).language),
        ),
    shell:
        "python -m morpos tags {params.options} --output {output.tags:q} {input:q} 2> {log:q}"
