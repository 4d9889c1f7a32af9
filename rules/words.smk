# The word layer: one tokenisation, which feeds all other layers.


rule words:
    input:
        f"{RESULTS}/texts/{{text}}.txt",
    output:
        words=f"{RESULTS}/words/{{words}}/{{text}}{ENDING}",
        facts=f"{RESULTS}/words/{{words}}/{{text}}.json",
    log:
        f"{RESULTS}/logs/words/{{words}}/{{text}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/words/{{words}}/{{text}}.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("words"),
        options=words_options,
    shell:
        "python -m morpos.workflow words {params.options} --output {output.words:q} {input:q} 2> {log:q}"


# For tags that are given elsewhere (docs/taggers.md).
rule words_all:
    input:
        expand(
            f"{RESULTS}/words/{{words}}/{{text}}{ENDING}",
            words=sorted({setup.words_key for setup in PROJECT.setups.values()}),
            text=PROJECT.texts,
        ),
