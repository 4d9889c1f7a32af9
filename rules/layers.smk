# Layers that are made from the canonical text itself; made where a metric uses them.


rule layer:
    input:
        unpack(inputs.layer_files),
    output:
        layer=f"{RESULTS}/layers/{{layer}}/{{text}}{SUFFIX}",
        facts=f"{RESULTS}/layers/{{layer}}/{{text}}.json",
    log:
        log_path("layer", "{layer}/{text}", RESULTS),
    benchmark:
        benchmark_path("layer", "{layer}/{text}", RESULTS)
    conda:
        lambda wildcards: environment(*inputs.declared(wildcards))
    params:
        code=inputs.layer_code,
        name=inputs.layer_name,
        # Of given units only the pattern is the same for all texts, so that it is in the signature.
        pattern=lambda wildcards: inputs.declared(wildcards).get("files", ""),
    shell:
        "python -m morpos.workflow layer --name={params.name:q} --sentencepiece {input.model:q}"
        " --files={params.pattern:q} --given {input.given:q}"
        " --output {output.layer:q} {input.text:q} 2> {log:q}"
