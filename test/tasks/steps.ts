/** The steps of `npm test` and `npm run test:all`. */

/** An npm script, and the report that its tests leave in `test-output`. */
export interface Step {
	readonly script: string;
	readonly report?: string;
	/** The run that it belongs to; both by default. */
	readonly only?: "fast" | "all";
	readonly needsBrowser?: boolean;
	readonly needsEditor?: boolean;
	/** It reads /proc and sends POSIX signals. */
	readonly needsLinux?: boolean;
}

/** All steps in their order: each uses all processors where it can, so that one runs after the other. */
export const steps: readonly Step[] = [
	{ script: "check", report: "unit.json" },
	{ script: "test:integration", report: "integration.json" },
	{ script: "package" },
	{ script: "test:package", report: "package.json" },
	{ script: "test:editor", report: "host.json", needsEditor: true },
	{ script: "test:view:fast", report: "view.json", only: "fast", needsBrowser: true },
	{ script: "test:view", report: "view.json", only: "all", needsBrowser: true },
	{ script: "test:journeys", report: "journeys.json", only: "fast", needsBrowser: true, needsEditor: true },
	{ script: "test:e2e", report: "e2e.json", only: "all", needsBrowser: true, needsEditor: true },
	{ script: "test:editor:least", report: "host-least.json", only: "all", needsEditor: true },
	{ script: "test:limits", report: "limits.json", only: "all" },
	{ script: "conformance", report: "conformance.json", only: "all" },
	{ script: "apps:conformance", report: "apps-conformance.json", only: "all", needsBrowser: true },
	{ script: "faults", report: "faults.json", only: "all", needsLinux: true },
	{ script: "soak:short", report: "soak.json", only: "all", needsLinux: true },
];
