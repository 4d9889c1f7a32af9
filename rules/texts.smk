# Canonical texts: one segment a line, and a count of what was changed.


rule text:
    input:
        unpack(inputs.text_files),
    output:
        text=f"{RESULTS}/texts/{{text}}.txt",
        facts=f"{RESULTS}/texts/{{text}}.json",
    log:
        log_path("text", "{text}", RESULTS),
    benchmark:
        benchmark_path("text", "{text}", RESULTS)
    priority: 1
    conda:
        ENVIRONMENT
    params:
        code=implementation("text"),
        name=inputs.system_name,
        format=lambda wildcards: inputs.text(wildcards).format,
        select=lambda wildcards: inputs.text(wildcards).select,
        encoding=lambda wildcards: inputs.text(wildcards).encoding,
        missing=lambda wildcards: inputs.text(wildcards).missing,
        strict=CONFIG["strict"],
        sha256=lambda wildcards: PROJECT.checksums(inputs.text(wildcards).path),
    shell:
        "python -m morpos.workflow text --name={params.name:q} --format={params.format}"
        " --select={params.select:q} --encoding={params.encoding:q} --missing={params.missing:q}"
        " --strict={params.strict} --sha256 {params.sha256} --reference-facts {input.reference:q}"
        " --output {output.text:q} -- {input.source:q} 2> {log:q}"


# For units that are made elsewhere (docs/layers.md).
rule texts_all:
    input:
        expand(f"{RESULTS}/texts/{{text}}.txt", text=PROJECT.texts),
