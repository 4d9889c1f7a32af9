# The word layer: one tokenisation, which feeds all other layers.


rule words:
    input:
        f"{RESULTS}/texts/{{text}}.txt",
    output:
        words=f"{RESULTS}/words/{{text}}.txt",
        facts=f"{RESULTS}/words/{{text}}.json",
    log:
        f"{RESULTS}/logs/words/{{text}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/words/{{text}}.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("words"),
        options=lambda wildcards: flags(
            language=text_of(wildcards).language, **CONFIG["words"]
        ),
    shell:
        "python -m morpos words {params.options} --output {output.words:q} {input:q} 2> {log:q}"
