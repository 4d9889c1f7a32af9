# The morpheme layer: one Morfessor model per set of references, then every text with it.


rule morfessor:
    input:
        reference_words,
    output:
        f"{RESULTS}/models/{{words}}/{{morphemes}}/{{references}}.json",
    log:
        f"{RESULTS}/logs/morfessor/{{words}}/{{morphemes}}/{{references}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/morfessor/{{words}}/{{morphemes}}/{{references}}.tsv"
    # The longest jobs: let them start as soon as their reference is tokenised.
    priority: 10
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("morfessor"),
        options=morfessor_options,
    shell:
        "python -m morpos morfessor {params.options} --output {output:q} {input:q} 2> {log:q}"


rule morphemes:
    input:
        words=f"{RESULTS}/words/{{words}}/{{text}}.txt",
        model=f"{RESULTS}/models/{{words}}/{{morphemes}}/{{references}}.json",
    output:
        layer=f"{RESULTS}/morphemes/{{words}}/{{morphemes}}/{{references}}/{{text}}.txt",
        facts=f"{RESULTS}/morphemes/{{words}}/{{morphemes}}/{{references}}/{{text}}.json",
    log:
        f"{RESULTS}/logs/morphemes/{{words}}/{{morphemes}}/{{references}}/{{text}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/morphemes/{{words}}/{{morphemes}}/{{references}}/{{text}}.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("morphemes"),
    shell:
        "python -m morpos morphemes --model {input.model:q} --output {output.layer:q}"
        " {input.words:q} 2> {log:q}"
