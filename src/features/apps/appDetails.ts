import { exactLine } from "../../base/exactLine.ts";
import { oneLine } from "../../base/text.ts";
import type { HealthLine } from "./appHealth.ts";
import type { AppPage } from "./appPage.ts";
import { type AppAccess, type AppDomains, asksForDomains, type DomainUse } from "./appPolicy.ts";
import type { AppDetail } from "./appProtocol.ts";
import { keysOf } from "../../base/guards.ts";

const uses: Readonly<Record<DomainUse, string>> = {
	connect: "Connect to",
	resource: "Load from",
	frame: "Show in a frame",
	baseUri: "Base URL",
};

/** The rights of an app with `clipboardWrite`, in the words of the question to the user. */
export const clipboardLine = "Write to the clipboard";

/** The purposes of an app's domains, one line each, in the words of the question to the user. */
export function domainLines(domains: AppDomains): readonly string[] {
	return keysOf(uses).flatMap((use) => domains[use].map((one) => `${uses[use]} ${one}`));
}

/**
 * The access that the page of an app requested, which parts were granted and which were not, and how often something
 * was blocked.
 */
export function policyDetails({ domains, permissions }: AppPage, granted: AppAccess, stopped: number): AppDetail {
	const lines = keysOf(uses).flatMap((use) =>
		domains.asked[use].map((one): HealthLine => {
			const isGranted = granted.domains[use].includes(one);
			return {
				kind: isGranted ? "good" : "bad",
				text: `${uses[use]} ${one}: ${isGranted ? "granted" : "not granted"}`,
			};
		}),
	);
	const nothing: HealthLine = { kind: "good", text: "No access outside its frame" };
	return {
		name: stopped === 0 ? "Policy" : `Policy, ${stopped.toLocaleString("en-US")} stopped`,
		lines: [
			...(asksForDomains(domains.asked) ? lines : [nothing]),
			...domains.refused.map((text): HealthLine => ({
				kind: "bad",
				text: `Not an origin, so not granted: ${oneLine(exactLine(text), 120)}`,
			})),
			...permissions.map((name): HealthLine => {
				if (name !== "clipboardWrite") {
					return { kind: "bad", text: `${name}: not granted, because VS Code does not grant it to webviews` };
				}
				const { clipboard } = granted;
				return { kind: clipboard ? "good" : "bad", text: `${clipboardLine}: ${clipboard ? "granted" : "not granted"}` };
			}),
		],
	};
}
