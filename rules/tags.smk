# The POS layer: one tag for each word.


rule tags:
    input:
        unpack(tags_input),
    output:
        layer=f"{RESULTS}/tags/{{words}}/{{tags}}/{{text}}.txt",
        facts=f"{RESULTS}/tags/{{words}}/{{tags}}/{{text}}.json",
    log:
        f"{RESULTS}/logs/tags/{{words}}/{{tags}}/{{text}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/tags/{{words}}/{{tags}}/{{text}}.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=tags_implementation,
        options=tags_options,
    shell:
        "python -m morpos tags {params.options} --output {output.layer:q} {input.words:q} 2> {log:q}"
