# The word layer: one tokenisation, which feeds all other layers.


rule words:
    input:
        f"{RESULTS}/texts/{{text}}.txt",
    output:
        words=f"{RESULTS}/words/{{words}}/{{text}}{SUFFIX}",
        facts=f"{RESULTS}/words/{{words}}/{{text}}.json",
    log:
        log_path("words", "{words}/{text}", RESULTS),
    benchmark:
        benchmark_path("words", "{words}/{text}", RESULTS)
    conda:
        ENVIRONMENT
    params:
        code=inputs.words_code,
        language=lambda wildcards: inputs.text(wildcards).language,
        tokenizer=lambda wildcards: inputs.words_setup(wildcards)["tokenizer"],
        case=lambda wildcards: inputs.words_setup(wildcards)["case"],
    shell:
        "python -m morpos.workflow words --language={params.language}"
        " --tokenizer={params.tokenizer} --case={params.case}"
        " --output {output.words:q} {input:q} 2> {log:q}"


# For tags that are given elsewhere (docs/taggers.md).
rule words_all:
    input:
        expand(
            f"{RESULTS}/words/{{words}}/{{text}}{SUFFIX}",
            words=sorted({setup.words_key for setup in PROJECT.setups.values()}),
            text=PROJECT.texts,
        ),
