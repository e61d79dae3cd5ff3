/**
 * Whether `uri` is `whole` or, by its path or fragment, something within it: a server may report a change below the URI
 * of the subscription (specification, "Resources", notifications/resources/updated). Another query is another resource.
 */
export function isWithin(uri: string, whole: string): boolean {
	if (!uri.startsWith(whole)) return false;
	return uri.length === whole.length || /^[/#]/.test(uri.slice(whole.length)) || whole.endsWith("/");
}
