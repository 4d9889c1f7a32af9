# Human scores, their correlation with the metrics per document, and the table over documents.


rule human:
    input:
        lambda wildcards: document_of(wildcards).judgments,
    output:
        f"{RESULTS}/human/{{document}}.tsv",
    log:
        f"{RESULTS}/logs/human/{{document}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/human/{{document}}.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("human"),
        options=lambda wildcards: flags(
            format=document_of(wildcards).judgments_format,
            source=document_of(wildcards).source,
            target=document_of(wildcards).target,
            domain=document_of(wildcards).domain or None,
            **CONFIG["human"],
        ),
    shell:
        "python -m morpos human {params.options} --output {output:q} -- {input:q} 2> {log:q}"


rule correlations:
    input:
        scores=f"{RESULTS}/scores/{{document}}.tsv",
        human=f"{RESULTS}/human/{{document}}.tsv",
    output:
        correlations=f"{RESULTS}/correlations/{{document}}.tsv",
        left_out=f"{RESULTS}/correlations/{{document}}.left_out.tsv",
    log:
        f"{RESULTS}/logs/correlations/{{document}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/correlations/{{document}}.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("correlations"),
        options=flags(references=CONFIG["human"]["references"]),
    shell:
        "python -m morpos correlations --document {wildcards.document:q} {params.options}"
        " --output {output.correlations:q} --left-out {output.left_out:q}"
        " -- {input.scores:q} {input.human:q} 2> {log:q}"


rule correlations_all:
    input:
        expand(f"{RESULTS}/correlations/{{document}}.tsv", document=JUDGED),


rule summary:
    input:
        rules.correlations_all.input,
    output:
        summary=f"{RESULTS}/summary.tsv",
        left_out=f"{RESULTS}/summary.left_out.tsv",
    log:
        f"{RESULTS}/logs/summary.log",
    benchmark:
        f"{RESULTS}/benchmarks/summary.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("summary"),
    shell:
        "python -m morpos summary --output {output.summary:q} --left-out {output.left_out:q}"
        " -- {input:q} 2> {log:q}"
