/** The steps of `npm test` and `npm run test:all`. */

/** An npm script, and the report that its tests leave in `test-output`. */
export interface Step {
	readonly script: string;
	readonly report?: string;
	/** The run that it belongs to; both by default. */
	readonly only?: "fast" | "all";
	readonly needsBrowser?: boolean;
	readonly needsEditor?: boolean;
	/** It waits for windows more than it works: the fast run has it beside the other steps. */
	readonly isBeside?: boolean;
	/** It reads /proc and sends POSIX signals. */
	readonly needsLinux?: boolean;
}

/**
 * All steps in their order. The full run has one after the other, since each uses all processors where it can. The package
 * comes first: the steps beside the others use it, and a later build for tests takes its files away from `test:package`.
 */
export const steps: readonly Step[] = [
	{ script: "package" },
	{ script: "test:package", report: "package.json" },
	{ script: "check", report: "unit.json" },
	{ script: "test:integration", report: "integration.json" },
	{ script: "test:editor", report: "host.json", needsEditor: true },
	{
		script: "test:journeys",
		report: "journeys.json",
		only: "fast",
		needsBrowser: true,
		needsEditor: true,
		isBeside: true,
	},
	{ script: "test:view:fast", report: "view.json", only: "fast", needsBrowser: true, isBeside: true },
	{ script: "test:view", report: "view.json", only: "all", needsBrowser: true },
	{ script: "test:e2e", report: "e2e.json", only: "all", needsBrowser: true, needsEditor: true },
	{ script: "test:editor:least", report: "host-least.json", only: "all", needsEditor: true },
	{ script: "test:limits", report: "limits.json", only: "all" },
	{ script: "conformance", report: "conformance.json", only: "all" },
	{ script: "apps:conformance", report: "apps-conformance.json", only: "all", needsBrowser: true },
	{ script: "faults", report: "faults.json", only: "all", needsLinux: true },
	{ script: "soak:short", report: "soak.json", only: "all", needsLinux: true },
];
