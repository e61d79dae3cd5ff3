import { escapeAttribute } from "./webviewPage.ts";

/**
 * A document of untrusted markup under our policy. The policy is in a head that begins before that markup. A parser
 * that is inside a head ignores another doctype, `<html>` and `<head>`, and takes over the attributes of `<html>` and
 * `<body>` (HTML, "The in head insertion mode"). So the markup need not be searched. `head` is our markup that follows
 * the policy.
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
