import { readableSize } from "../../base/amounts.ts";
import type { JsonObject } from "../../base/json.ts";
import { isSecret } from "../../base/secrets/judge.ts";
import { oneLine } from "../../base/text.ts";
import type { Bundle } from "../bundles/bundle.ts";
import { type BundleMachine, bundleServer, defaultSetting } from "../bundles/bundleEntry.ts";
import type { BundleStore } from "../bundles/bundleStore.ts";
import type { SettingValue } from "../bundles/manifest.ts";
import type { FormQuestion } from "../../questions/form/formQuestion.ts";
import { askedSettings, type BrowsePlace, settingsIn, settingsQuestion } from "./bundleForm.ts";
import { type BundledServer, manifestChanges } from "./bundleUpdate.ts";
import type { CandidateSource } from "./candidateSource.ts";

/** The dependencies of installing a bundle. */
export interface BundleServices {
	readonly store: BundleStore;
	readonly machine: BundleMachine;
	/** Asks by a form; undefined when the user closed it. */
	readonly ask: (question: FormQuestion) => Promise<JsonObject | undefined>;
	readonly browse: BrowsePlace;
}

/** As many tools as are named. */
const mostTools = 12;

/**
 * A bundle as a server to be added: asks for its settings by a form, then describes the resulting entry, for the common
 * preview of added servers. Its files are unpacked only when it is added there, and nothing is started. With `earlier`,
 * it replaces that server: the form begins with its settings, and the changes are shown. Undefined when the user closed
 * the form.
 * @throws HostError `invalid` if its manifest uses an unsupported feature of its format.
 */
export async function bundleSource(
	bundle: Bundle,
	{ store, machine, ask, browse }: BundleServices,
	earlier?: BundledServer,
): Promise<CandidateSource | undefined> {
	const { manifest, origin } = bundle;
	const defaults = Object.fromEntries(
		askedSettings(manifest).map((setting): [string, SettingValue | undefined] => [
			setting.key,
			defaultSetting(setting, machine),
		]),
	);
	const id = store.newId(bundle);
	const folder = store.folderOf(id);
	// Whether it can be converted at all is checked before the user fills in anything.
	await bundleServer(bundle, folder, defaults, machine);
	const given = earlier === undefined ? {} : knownSettings(bundle, earlier.installed.settings);
	let settings: Readonly<Record<string, SettingValue>> = {};
	if (askedSettings(manifest).length > 0) {
		const value = await ask(settingsQuestion(manifest, { ...defaults, ...given }, browse));
		if (value === undefined) return undefined;
		settings = settingsIn(manifest, value);
	}
	const { entry, inputs, executables, cautions } = await bundleServer(bundle, folder, settings, machine);
	return {
		heading: oneLine(manifest.displayName, 80),
		path: origin.label,
		found: {
			format: "MCP bundle",
			servers: [
				{ name: earlier?.definition.name ?? manifest.name, entry, inputs, isOff: false, tools: {}, remarks: [] },
			],
			refused: [],
		},
		about: [...changesSince(bundle, earlier, machine.platform), ...aboutBundle(bundle)],
		cautions: [
			...originCautions(bundle),
			...(earlier === undefined
				? []
				: ["It receives the values of the previous version, including secrets, for settings that both versions have."]),
			...cautions,
		],
		prepare: async () => {
			await store.install(bundle, id, executables, withoutSecrets(settings));
			return () => store.remove(id);
		},
	};
}

/** Settings that were given for an earlier version, as far as this one has them with the same type. */
function knownSettings({ manifest }: Bundle, given: JsonObject): Readonly<Record<string, SettingValue>> {
	return Object.fromEntries(
		askedSettings(manifest).flatMap(({ key, type, isMultiple }): [string, SettingValue][] => {
			const value = Object.hasOwn(given, key) ? given[key] : undefined;
			if (isMultiple) return Array.isArray(value) && value.every(isText) ? [[key, value]] : [];
			if (type === "boolean") return typeof value === "boolean" ? [[key, value]] : [];
			return isText(value) ? [[key, value]] : [];
		}),
	);
}

/** The settings that may be stored, for the next version. */
function withoutSecrets(settings: Readonly<Record<string, SettingValue>>): JsonObject {
	return Object.fromEntries(
		Object.entries(settings).filter(
			([, value]) => !(typeof value === "object" ? value : [String(value)]).some((text) => isSecret("", text, "entry")),
		),
	);
}

function isText(value: unknown): value is string {
	return typeof value === "string";
}

function changesSince(
	{ manifest, sha256 }: Bundle,
	earlier: BundledServer | undefined,
	platform: string,
): NonNullable<CandidateSource["about"]> {
	if (earlier === undefined) return [];
	const { installed } = earlier;
	const changes = manifestChanges(installed.manifest, manifest, platform);
	const files =
		installed.sha256 === sha256 ? "It is the same file as before." : "Its manifest is the same, but its files differ.";
	return [{ label: "What changes", values: changes.length === 0 ? [files] : changes }];
}

/** A bundle's own facts, and the hash that distinguishes it from any other file. */
function aboutBundle({
	manifest,
	archive,
	sha256,
	size,
	signature,
	origin,
}: Bundle): NonNullable<CandidateSource["about"]> {
	const { description, author, version, homepage, repository, privacyPolicies, tools, hasMoreTools, runtimes } =
		manifest;
	const more = tools.length - mostTools;
	const files = archive.files.length === 1 ? "1 file" : `${archive.files.length.toLocaleString("en-US")} files`;
	const line = (label: string, ...values: readonly string[]) => (values.length === 0 ? [] : [{ label, values }]);
	return [
		...line("Publisher", `${oneLine(author, 120)} (according to the bundle)`),
		...line("Version", oneLine(version, 60)),
		...(description === "" ? [] : line("Description", oneLine(description, 300))),
		...(homepage === undefined ? [] : line("Home page", oneLine(homepage, 200))),
		...(repository === undefined ? [] : line("Source", oneLine(repository, 200))),
		...line("Privacy", ...privacyPolicies.map((policy) => oneLine(policy, 200))),
		...(runtimes.length === 0 ? [] : line("Needs", oneLine(runtimes.join(", "), 100))),
		...line("SHA-256", origin.expectedSha256 === undefined ? sha256 : `${sha256} (as announced)`),
		...line("Contains", `${files}, ${readableSize(archive.total)} (${readableSize(size)} packed)`),
		...line("Signature", signatureText(signature)),
		...line(
			"Tools it declares",
			...tools.slice(0, mostTools).map((tool) => oneLine(tool, 60)),
			...(more > 0 ? [`${more} more`] : []),
			...(hasMoreTools ? ["others when it runs"] : []),
		),
	];
}

/** The meaning of a signature: a valid one shows that nobody changed the file since, but not who the signer is. */
function signatureText(signature: Bundle["signature"]): string {
	switch (signature.kind) {
		case "none":
			return "none";
		case "broken":
			return "does not match this file";
		case "unknown":
			return "in a format that MCP Host does not support";
		case "fits": {
			const { signer, issuer } = signature;
			const by = issuer === undefined ? "no authority has confirmed" : `“${oneLine(issuer, 80)}” issued (not verified)`;
			return `matches this file; made with a certificate for “${oneLine(signer, 80)}”, which ${by}`;
		}
	}
}

function originCautions({ origin, signature }: Bundle): readonly string[] {
	const isFetched = /^https?:/i.test(origin.label);
	return [
		...(signature.kind === "broken"
			? ["Its signature does not match: the file was changed after it was signed, or the signature is damaged."]
			: []),
		...(origin.isPlainHttp === true
			? [
					// None is fetched so from another machine.
					"It was received over a connection that is not encrypted (http), from a program on this machine.",
				]
			: []),
		...(isFetched && origin.expectedSha256 === undefined
			? ["Its hash was not announced. Compare the SHA-256 above with the one that its publisher states."]
			: []),
	];
}
