# Layers beside words, morphemes and tags; made where a metric uses them.


rule layer:
    input:
        unpack(layer_input),
    output:
        layer=f"{RESULTS}/layers/{{layer}}/{{text}}{ENDING}",
        facts=f"{RESULTS}/layers/{{layer}}/{{text}}.json",
    log:
        f"{RESULTS}/logs/layer/{{layer}}/{{text}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/layer/{{layer}}/{{text}}.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=layer_code,
        options=layer_options,
    shell:
        "python -m morpos.workflow layer {params.options} --output {output.layer:q} {input.text:q} 2> {log:q}"


rule lemmas:
    input:
        unpack(lemmas_input),
    output:
        layer=f"{RESULTS}/lemmas/{{words}}/{{tagger}}/{{text}}{ENDING}",
        facts=f"{RESULTS}/lemmas/{{words}}/{{tagger}}/{{text}}.json",
    log:
        f"{RESULTS}/logs/lemmas/{{words}}/{{tagger}}/{{text}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/lemmas/{{words}}/{{tagger}}/{{text}}.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=lemmas_code,
        options=lemmas_options,
    shell:
        "python -m morpos.workflow lemmas {params.options} --output {output.layer:q} {input.words:q} 2> {log:q}"
