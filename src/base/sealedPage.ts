import { escapeAttribute } from "./webviewPage.ts";

/**
 * A document of somebody else's markup under a policy of ours: the policy stands in a head that begins before any of that
 * markup. A parser that is inside a head ignores another doctype, `<html>` and `<head>`, and takes over the attributes of
 * `<html>` and `<body>` (HTML, "The in head insertion mode"), so that nothing has to be looked for in the markup. `head` is
 * markup of ours that follows the policy.
 */
export function sealedDocument(policy: string, head: string, markup: string): string {
	return (
		`<!doctype html><html><head><meta charset="utf-8">` +
		`<meta http-equiv="Content-Security-Policy" content="${escapeAttribute(policy)}">` +
		// No policy is asked before the name of a link is looked up ahead.
		`<meta http-equiv="x-dns-prefetch-control" content="off"><meta name="referrer" content="no-referrer">` +
		head +
		markup.replace(/^\uFEFF/, "")
	);
}
