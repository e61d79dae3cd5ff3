import { inPlainLetters } from "../../base/lookAlikes.ts";
import { editDistance } from "../../base/nearest.ts";
import { oneLine } from "../../base/text.ts";
import type { RegistryServer } from "../serverJson/registryServer.ts";
import type { PackageKind, ServerWay } from "../serverJson/serverJson.ts";

/** The dates of a server's publication. */
export interface Publication {
	/** Milliseconds since the epoch. */
	readonly now: number;
	/** When the first of its versions was published; undefined where that is not known. */
	readonly first: number | undefined;
}

const week = 7 * 24 * 60 * 60 * 1000;

/** Well-known packages: similar names deserve a second look. Not a list of trusted ones. */
const wellKnown: Readonly<Record<PackageKind, readonly string[]>> = {
	npm: (
		"@modelcontextprotocol/server-everything @modelcontextprotocol/server-filesystem @modelcontextprotocol/server-memory " +
		"@modelcontextprotocol/server-sequential-thinking @modelcontextprotocol/server-github @modelcontextprotocol/server-postgres " +
		"@modelcontextprotocol/inspector @playwright/mcp @upstash/context7-mcp @notionhq/notion-mcp-server @azure/mcp @stripe/mcp " +
		"@supabase/mcp-server-supabase chrome-devtools-mcp firecrawl-mcp tavily-mcp exa-mcp-server @sentry/mcp-server mcp-remote " +
		"figma-developer-mcp @heroku/mcp-server @cloudflare/mcp-server-cloudflare @browserbasehq/mcp"
	).split(" "),
	pypi: (
		"mcp-server-fetch mcp-server-git mcp-server-time mcp-server-sqlite fastmcp mcp mcp-proxy " +
		"awslabs.core-mcp-server awslabs.aws-documentation-mcp-server markitdown-mcp duckduckgo-mcp-server"
	).split(" "),
	oci: "ghcr.io/github/github-mcp-server hashicorp/terraform-mcp-server grafana/mcp-grafana mcp/filesystem mcp/fetch".split(
		" ",
	),
	nuget: ["NuGet.Mcp.Server", "ModelContextProtocol", "Azure.Mcp"],
};

/**
 * Facts to know before a server of a registry is trusted: sentences for the user, never a score. Properties of the
 * definition itself, such as a shell or plain http, are shown for every definition alike.
 */
export function trustNotes(server: RegistryServer, way: ServerWay, { now, first }: Publication): readonly string[] {
	const notes: string[] = [];
	const { deprecated, publishedAt } = server;
	if (deprecated !== undefined) {
		const why = deprecated === "" ? "" : ` ${oneLine(deprecated, 200)}`;
		notes.push(`Its publisher has deprecated it.${why}`);
	}
	const named = "package" in way ? way.package : undefined;
	const like = named === undefined ? undefined : wellKnownLike(named.kind, named.name);
	if (like !== undefined)
		notes.push(`Its name is similar to the well-known package “${like}”, but it is a different package.`);
	if (first !== undefined && now - first < week) notes.push(`It was first published ${ago(first, now)}.`);
	else if (publishedAt !== undefined && now - publishedAt < week)
		notes.push(`This version was published ${ago(publishedAt, now)}.`);
	if (named?.isPinned === false) {
		notes.push(
			named.kind === "oci"
				? "The image has no fixed hash. Its contents can change under the same name."
				: "It has no fixed version. Each start may run a different version.",
		);
	}
	return notes;
}

/** How long ago something was, in words; a time in the future is now. */
export function ago(time: number, now: number): string {
	const days = Math.max(0, Math.floor((now - time) / (24 * 60 * 60 * 1000)));
	if (days === 0) return "today";
	if (days === 1) return "yesterday";
	if (days < 60) return `${days} days ago`;
	const months = Math.floor(days / 30.44);
	return months < 24 ? `${months} months ago` : `${Math.floor(days / 365.25)} years ago`;
}

/** The well-known package that a name may be taken for; undefined for that one itself. */
function wellKnownLike(kind: PackageKind, name: string): string | undefined {
	const folded = fold(kind, name);
	const known = wellKnown[kind];
	if (known.some((one) => exact(kind, one) === exact(kind, name))) return undefined;
	return known.find((one) => {
		const other = fold(kind, one);
		if (other === folded) return true;
		if (Math.min(other.length, folded.length) < 8) return false;
		return Math.abs(other.length - folded.length) <= 2 && editDistance(other, folded) <= (other.length < 14 ? 1 : 2);
	});
}

/** A name as its registry compares names. */
function exact(kind: PackageKind, name: string): string {
	const plain = kind === "oci" ? name.replace(/@.*$/s, "").replace(/(\/[^/:]*):[^/]*$/, "$1") : name;
	return kind === "pypi" ? plain.toLowerCase().replace(/[-_.]+/g, "-") : plain.toLowerCase();
}

/** A name without easily overlooked differences: similar letters, digits for letters, signs between words. */
function fold(kind: PackageKind, name: string): string {
	return inPlainLetters(exact(kind, name))
		.replaceAll("0", "o")
		.replaceAll("1", "l")
		.replaceAll("i", "l")
		.replaceAll("rn", "m")
		.replace(/[-_.@]+/g, "");
}
