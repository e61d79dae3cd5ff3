/** Words that name a secret, alone or at the end of a longer word such as `PGPASSWORD` or `authtoken`. */
const passwordWord = /(?:password|passwd|passphrase|passcode|passwort|kennwort|wachtwoord|contrase\u00f1a|pwd)$/;
const otherWord = /(?:secret|token|credentials?|apikey|accesskey|privatekey|secretkey|accountkey)$/;
/** What makes a key one that is kept secret. */
const beforeKey =
	/^(?:api|access|private|secret|account|shared|signing|encryption|storage|master|subscription|auth|license)$/;
/** What follows the word where the value is only about a secret. */
const about =
	/^(?:ids?|names?|types?|hash|counts?|limits?|lengths?|size|ur[il]s?|path|files?|dir|folder|expir\w*|ttl|policy|fields?|labels?|hints?|prompts?|placeholder|formats?|patterns?|regex|versions?|index|usage|budget|prices?|costs?|timestamp|date|at|in|scheme|kind|algorithm|strategy|manager|provider|service|store|ref|reference|arn|endpoint|reset|rotation|rules?|strength|required|enabled|set|header|env|var|variable|keyword|description|helper|mode|timeout|command|class|prefix|suffix|max|min|sock|socket)$/;
/** What stands before `token` where it is no secret: places in lists, and what models count. */
const counted =
	/^(?:page|next|prev|previous|cursor|continuation|continue|resume|sync|progress|max|min|total|num|prompt|completion|input|output|cached?|reasoning|special|eos|bos|pad|unk|sep|cls|mask|stop|start|end|each|per|first|last|mention|syntax|lexical|design)$/;

/** Whether a name, such as that of a variable, a field or a header, is one of a secret; and of which sort. */
export function secretName(name: string): "password" | "other" | undefined {
	const words = name
		.replace(/([a-z\d])([A-Z])/g, "$1 $2")
		.toLowerCase()
		.split(/[^\p{L}\p{N}]+/u)
		.filter((word) => word !== "");
	const at = words.findLastIndex(
		(word, index) =>
			passwordWord.test(word) || otherWord.test(word) || (word === "key" && beforeKey.test(words[index - 1] ?? "")),
	);
	const word = words[at];
	if (word === undefined || about.test(words.at(-1) ?? "")) return undefined;
	if (word === "token" && counted.test(words[at - 1] ?? "")) return undefined;
	return passwordWord.test(word) ? "password" : "other";
}
