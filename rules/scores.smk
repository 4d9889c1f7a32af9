# n-gram counts of every system, and from them alone the scores of a document.


rule counts:
    input:
        unpack(counts_input),
    output:
        f"{RESULTS}/counts/{{document}}/{{system}}.npz",
    log:
        f"{RESULTS}/logs/counts/{{document}}/{{system}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/counts/{{document}}/{{system}}.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("counts"),
        order=PROJECT.order,
    shell:
        "python -m morpos counts --order {params.order} --output {output:q}"
        " --layer word {input.word:q} --layer morpheme {input.morpheme:q}"
        " --layer pos {input.pos:q} -- {input.text:q} 2> {log:q}"


rule scores:
    input:
        unpack(scores_input),
    output:
        scores=f"{RESULTS}/scores/{{document}}.tsv",
        segments=f"{RESULTS}/segment_scores/{{document}}.tsv.gz",
        texts=f"{RESULTS}/texts/{{document}}.tsv",
    log:
        f"{RESULTS}/logs/scores/{{document}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/scores/{{document}}.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("scores"),
    shell:
        "python -m morpos scores --document {wildcards.document:q} --metrics {input.metrics:q}"
        " --references {input.references:q} --scores {output.scores:q}"
        " --segments {output.segments:q} --texts {output.texts:q} -- {input.counts:q} 2> {log:q}"


rule scores_all:
    input:
        expand(f"{RESULTS}/scores/{{document}}.tsv", document=DOCUMENTS),
