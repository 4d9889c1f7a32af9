# The POS layer: one tag for each word.


rule tags:
    input:
        unpack(tags_input),
    output:
        layer=f"{RESULTS}/tags/{{words}}/{{tags}}/{{text}}{ENDING}",
        facts=f"{RESULTS}/tags/{{words}}/{{tags}}/{{text}}.json",
    log:
        f"{RESULTS}/logs/tags/{{words}}/{{tags}}/{{text}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/tags/{{words}}/{{tags}}/{{text}}.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=tags_code,
        options=tags_options,
    shell:
        "python -m morpos.workflow tags {params.options} --output {output.layer:q} {input.words:q} 2> {log:q}"


# A misconfigured TreeTagger fails here, once, and not in every job.
rule treetagger:
    output:
        f"{RESULTS}/taggers/{{tagger}}-{{language}}.json",
    log:
        f"{RESULTS}/logs/treetagger/{{tagger}}-{{language}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/treetagger/{{tagger}}-{{language}}.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("treetagger"),
        options=treetagger_options,
    shell:
        "python -m morpos.workflow treetagger {params.options} --output {output:q} 2> {log:q}"
