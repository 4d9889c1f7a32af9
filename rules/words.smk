# The word layer: one tokenisation, which feeds all other layers.


rule words:
    input:
        f"{RESULTS}/texts/{{text}}.txt",
    output:
        words=f"{RESULTS}/words/{{words}}/{{text}}.txt",
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
        "python -m morpos words {params.options} --output {output.words:q} {input:q} 2> {log:q}"
