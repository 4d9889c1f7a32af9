# Canonical texts: one segment a line, and a count of what was changed.


rule text:
    input:
        unpack(text_input),
    output:
        text=f"{RESULTS}/texts/{{text}}.txt",
        facts=f"{RESULTS}/texts/{{text}}.json",
    log:
        f"{RESULTS}/logs/text/{{text}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/text/{{text}}.tsv"
    priority: 1
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("text"),
        options=text_options,
    shell:
        "python -m morpos.workflow text {params.options} --output {output.text:q} -- {input.source:q} 2> {log:q}"


# For units that are made elsewhere (docs/layers.md).
rule texts_all:
    input:
        expand(f"{RESULTS}/texts/{{text}}.txt", text=PROJECT.texts),
