/** Texts that make a regular expression backtrack, if possible. */

/** A part of an expression. */
type Part =
	| { readonly kind: "character"; readonly source: string }
	| { readonly kind: "group"; readonly alternatives: readonly (readonly Term[])[]; readonly isAhead: boolean }
	| { readonly kind: "nothing" };

interface Term {
	readonly part: Part;
	readonly least: number;
	readonly most: number;
}

/** A quantifier this large counts as one without an end. */
const manyTimes = 50;
const candidates = [
	..."aA0 -._/:=%#?&;,@*+()[]{}<>\"'`\\|~^$!x\n\t\r\0\u001b",
	...Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)),
	..."éаα中\u200B\u00AD\uFE0F\u200D\u0301\uE000\u2028\uFFFD😀",
];

/** The texts: a matching beginning, repetitions for one quantifier, and an end that does not match. */
export function attacksOn({ source, flags }: RegExp, length: number): readonly string[] {
	const texts = new Set<string>();
	const add = (prefix: string, pump: string): void => {
		if (pump === "") return;
		for (const start of new Set(["", prefix])) {
			const body = start + pump.repeat(Math.ceil(length / pump.length)).slice(0, length);
			for (const end of ["", "\u0001", "!x"]) texts.add(body + end);
		}
	};
	const walk = (alternatives: readonly (readonly Term[])[], before: string): void => {
		for (const terms of alternatives) {
			let prefix = before;
			for (const [index, { part, least, most }] of terms.entries()) {
				if (part.kind === "group") walk(part.alternatives, part.isAhead ? before : prefix);
				const pumps = samplesOf(part, flags);
				if (most >= manyTimes) {
					for (const pump of pumps) {
						add(prefix, pump);
						add(prefix, prefix.slice(-200) + pump);
						// Two adjacent parts, which may share their characters.
						const next = terms[index + 1];
						for (const other of next === undefined ? [] : samplesOf(next.part, flags)) add(prefix, pump + other);
					}
				}
				prefix += (pumps[0] ?? "").repeat(Math.min(least, 200));
			}
			// A part that begins repeatedly and is never whole.
			if (terms.some(({ most }) => most >= manyTimes)) add("", prefix.slice(before.length, before.length + 200));
		}
	};
	walk(parse(source, flags), "");
	return [...texts];
}

/** Short texts that match a part. */
function samplesOf(part: Part, flags: string): readonly string[] {
	if (part.kind === "nothing") return [];
	if (part.kind === "character") {
		const one = new RegExp(`^(?:${part.source})$`, flags.replace(/[gy]/g, ""));
		return [...new Set(candidates.filter((candidate) => one.test(candidate)))].slice(0, 3);
	}
	if (part.isAhead) return [];
	return part.alternatives
		.slice(0, 3)
		.map((terms) =>
			terms
				.map(({ part: inner, least, most }) =>
					(samplesOf(inner, flags)[0] ?? "").repeat(Math.min(Math.max(least, most >= manyTimes ? 1 : 0), 200)),
				)
				.join(""),
		);
}

function parse(source: string, flags: string): readonly (readonly Term[])[] {
	let at = 0;
	const alternatives = (): readonly (readonly Term[])[] => {
		const all: Term[][] = [[]];
		while (at < source.length && source[at] !== ")") {
			if (source[at] === "|") {
				at++;
				all.push([]);
			} else {
				const part = readPart();
				all.at(-1)?.push({ part, ...quantifier() });
			}
		}
		return all;
	};
	const readPart = (): Part => {
		const start = at;
		const first = source[at++] ?? "";
		if (first === "(") {
			const kind = /^\?(?:[:=!]|<[=!]|<[^>]*>|[a-z-]*:)/.exec(source.slice(at))?.[0] ?? "";
			at += kind.length;
			const inner = alternatives();
			at++;
			return { kind: "group", alternatives: inner, isAhead: /^\?<?[=!]$/.test(kind) };
		}
		if (first === "^" || first === "$") return { kind: "nothing" };
		if (first === "[") {
			for (let depth = 1; depth > 0; at++) {
				if (source[at] === "\\") at++;
				else if (source[at] === "[" && flags.includes("v")) depth++;
				else if (source[at] === "]") depth--;
			}
		} else if (first === "\\") {
			const escape = /^(?:[bB]|[1-9]|k<[^>]*>|[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[\s\S])/;
			const found = escape.exec(source.slice(at))?.[0] ?? "";
			at += found.length;
			if (/^[bB1-9]$|^k</.test(found)) return { kind: "nothing" };
		} else if (/[\uD800-\uDBFF]/.test(first)) at++;
		return { kind: "character", source: source.slice(start, at) };
	};
	const quantifier = (): { readonly least: number; readonly most: number } => {
		const found = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(source.slice(at));
		if (found === null) return { least: 1, most: 1 };
		at += found[0].length;
		const [, sign, least, comma, most] = found;
		if (sign !== undefined) return { least: sign === "+" ? 1 : 0, most: sign === "?" ? 1 : Number.POSITIVE_INFINITY };
		const end = most === "" ? Number.POSITIVE_INFINITY : Number(most);
		return { least: Number(least), most: comma === "" ? Number(least) : end };
	};
	return alternatives();
}
