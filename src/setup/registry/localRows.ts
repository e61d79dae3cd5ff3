import type { RowTexts } from "../../questions/listRow.ts";
import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import { readableSize } from "../../base/amounts.ts";
import { HostError, messageOf } from "../../base/errors.ts";
import { oneLine } from "../../base/text.ts";
import { type ArchiveLimits, archiveLimits } from "../bundles/archive.ts";
import { readBundle } from "../bundles/bundle.ts";
import { commandFor } from "../bundles/bundleEntry.ts";
import { targetText } from "../../servers/formats/targetText.ts";
import { Candidate } from "../entries/candidate.ts";
import type { CandidateSource } from "../entries/candidateSource.ts";
import { type ExistingServer, likenessOf, targetOf } from "../entries/sameServer.ts";

/** A server that is on this machine already, as a row: all texts fit for a line. */
export interface LocalRow<Opens extends CandidateSource | string = CandidateSource | string> extends RowTexts {
	readonly id: string;
	/** The preview before it is added: one server of another host, or the path of a bundle. */
	readonly opens: Opens;
}

/** A larger one is not opened before the user chooses it. */
const glance: ArchiveLimits = { ...archiveLimits, archive: 5_000_000, files: 5000 };

/** The servers of other hosts that MCP Host does not have, each once. None of their secrets is displayed. */
export function hostRows(
	sources: readonly CandidateSource[],
	existing: readonly ExistingServer[],
	hasVariable: (name: string) => boolean,
): readonly LocalRow<CandidateSource>[] {
	const known = new Set<string>();
	return sources.flatMap((source) =>
		source.found.servers.flatMap((server): readonly LocalRow<CandidateSource>[] => {
			const target = targetOf(server.entry);
			if (known.has(target) || likenessOf(server.entry, existing).kind === "same") return [];
			known.add(target);
			// Values that are marked as secret, or look like one, are variables in it.
			const candidate = new Candidate("", server, server.name ?? "", hasVariable);
			const secrets = candidate.rows.filter(({ kind }) => kind === "secret").map(({ label }) => label);
			const name = oneLine(server.name ?? source.heading, 80);
			return [
				{
					id: `host ${target}`,
					label: name,
					description: [oneLine(source.heading, 80), ...(server.isOff ? ["switched off there"] : [])].join(" · "),
					detail: `${oneLine(targetText(candidate.target), 160)}${asksFor(secrets)}`,
					opens: { ...source, found: { ...source.found, servers: [server], refused: [] } },
				},
			];
		}),
	);
}

/** The bundles in files, as far as they can be read. Nothing is unpacked. Never rejects. */
export async function bundleRows(paths: readonly string[], platform: string): Promise<readonly LocalRow<string>[]> {
	const rows: LocalRow<string>[] = [];
	// One after the other: each is in memory while it is read.
	for (const path of paths) rows.push(await bundleRow(path, platform));
	return rows;
}

async function bundleRow(path: string, platform: string): Promise<LocalRow<string>> {
	const file = oneLine(basename(path), 80);
	const row = (label: string, description: string, detail: string): LocalRow<string> => {
		return { id: `bundle ${path}`, label, description, detail, opens: path };
	};
	const { size } = await stat(path).catch(() => ({ size: 0 }));
	const unread = row(file, readableSize(size), oneLine(path, 200));
	if (size > glance.archive) return unread;
	try {
		const { manifest } = await readBundle(await readFile(path), { label: file }, glance);
		const { displayName, version, author, settings } = manifest;
		const { command, args } = commandFor(manifest, platform);
		const secrets = settings.filter(({ isSensitive }) => isSensitive).map(({ title }) => title);
		const description = [oneLine(version, 40), oneLine(author, 80), file].filter((part) => part !== "").join(" · ");
		const detail = `${oneLine([command, ...args].join(" "), 160)}${asksFor(secrets)}`;
		return row(oneLine(displayName, 80), description, detail);
	} catch (error) {
		if (HostError.is(error, "limit")) return unread;
		return row(file, "cannot be installed", oneLine(messageOf(error), 200));
	}
}

function asksFor(secrets: readonly string[]): string {
	const names = secrets.slice(0, 3).map((name) => `${oneLine(name, 40)} (secret)`);
	return names.length === 0 ? "" : `, asks for ${names.join(", ")}`;
}
