import { HostError } from "../../base/errors.ts";
import { oneLine } from "../../base/text.ts";
import type { Network } from "../../protocol/http/network.ts";
import type { ServerDefinition } from "../../servers/definitions/config.ts";
import { type LaunchedPackage, packageOf } from "../../servers/definitions/packageOf.ts";
import { programName } from "../../servers/formats/launchers.ts";
import { digestOf, type ImagePlace, placeOfImage } from "../entries/imageDigest.ts";
import { isEditable } from "../entries/serverEdits.ts";

/** A server that runs what the tag of an image stood for once, such as `latest@sha256:…`. */
export interface BoundImage {
	readonly definition: ServerDefinition;
	readonly launched: LaunchedPackage & { readonly version: string };
	readonly image: ImagePlace;
	readonly tag: string;
}

/** What that tag stands for now, with the tag in front. */
export interface ImageUpdate {
	readonly installed: BoundImage;
	readonly version: string;
}

/** The servers that run such an image, behind a tag that is no version, and stand where MCP Host may write. */
export function boundImages(definitions: readonly ServerDefinition[]): readonly BoundImage[] {
	return definitions.flatMap((definition): readonly BoundImage[] => {
		const { config, origin } = definition;
		if (config.kind !== "stdio" || !isEditable(origin)) return [];
		const launched = packageOf(config.command, config.args);
		const { version = "" } = launched ?? {};
		const tag = tagOfHash(version);
		if (launched?.launcher !== "docker" || tag === undefined) return [];
		const image = placeOfImage(programName(config.command), launched.name);
		return image === undefined ? [] : [{ definition, launched: { ...launched, version }, image, tag }];
	});
}

/** The tag in front of the hash of an image, unless it is a version: such a one is compared with what a registry lists. */
export function tagOfHash(version: string): string | undefined {
	return /^([A-Za-z_][\w.-]{0,127})@sha256:[a-f\d]{64}$/.exec(version)?.[1];
}

/**
 * Asks the registry of each image what its tag stands for now: where that is another one, and the names of the servers whose
 * images are not there.
 * @throws HostError `unreachable` where one cannot be asked; the reason of `signal`.
 */
export async function imageUpdates(
	images: readonly BoundImage[],
	network: Pick<Network, "fetch">,
	signal: AbortSignal,
): Promise<{ readonly updates: readonly ImageUpdate[]; readonly unlisted: readonly string[] }> {
	const updates: ImageUpdate[] = [];
	const unlisted: string[] = [];
	for (const installed of images) {
		try {
			const version = `${installed.tag}@${await digestOf(installed.image, installed.tag, network, signal)}`;
			if (version !== installed.launched.version) updates.push({ installed, version });
		} catch (error) {
			if (!HostError.is(error, "invalid")) throw error;
			unlisted.push(installed.definition.name);
		}
	}
	return { updates, unlisted };
}

/** Such an update as the rest of a row. */
export function describeImage({ installed: { launched, image, tag }, version }: ImageUpdate) {
	return {
		description: `${shortHash(launched.version)} → ${shortHash(version)}`,
		detail: `what “${oneLine(tag, 40)}” is now at ${image.home}: image ${oneLine(launched.name, 120)}`,
	};
}

/** As much of the hash of an image as people compare. */
function shortHash(version: string): string {
	return version.replace(/^.*@sha256:/s, "").slice(0, 12);
}
