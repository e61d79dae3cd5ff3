/**
 * The style variables of the specification (MCP Apps 2026-01-26, "Theming") by VS Code's theme variables. Missing ones
 * are left out: the app's own value applies.
 */
const colors: Readonly<Record<string, string>> = {
	"background-primary": "editor-background",
	"background-secondary": "sideBar-background",
	"background-tertiary": "editorWidget-background",
	"background-inverse": "foreground",
	"background-info": "inputValidation-infoBackground",
	"background-danger": "inputValidation-errorBackground",
	"background-success": "diffEditor-insertedTextBackground",
	"background-warning": "inputValidation-warningBackground",
	"background-disabled": "input-background",
	"text-primary": "foreground",
	"text-secondary": "descriptionForeground",
	"text-tertiary": "disabledForeground",
	"text-inverse": "editor-background",
	"text-ghost": "disabledForeground",
	"text-info": "textLink-foreground",
	"text-danger": "errorForeground",
	"text-success": "testing-iconPassed",
	"text-warning": "editorWarning-foreground",
	"text-disabled": "disabledForeground",
	"border-primary": "widget-border",
	"border-secondary": "panel-border",
	"border-tertiary": "editorGroup-border",
	"border-info": "inputValidation-infoBorder",
	"border-danger": "inputValidation-errorBorder",
	"border-success": "testing-iconPassed",
	"border-warning": "inputValidation-warningBorder",
	"border-disabled": "input-border",
	"ring-primary": "focusBorder",
	"ring-secondary": "focusBorder",
	"ring-info": "focusBorder",
	"ring-danger": "errorForeground",
	"ring-warning": "editorWarning-foreground",
};

const fixed: Readonly<Record<string, string>> = {
	"--font-weight-normal": "400",
	"--font-weight-medium": "500",
	"--font-weight-semibold": "600",
	"--font-weight-bold": "700",
	"--border-radius-xs": "2px",
	"--border-radius-sm": "4px",
	"--border-radius-md": "6px",
	"--border-radius-lg": "8px",
	"--border-radius-xl": "12px",
	"--border-radius-full": "9999px",
	"--border-width-regular": "1px",
};

/** Steps of sizes, each as a part of VS Code's own size and with its line height. */
const sizes: Readonly<Record<string, readonly [number, number]>> = {
	"text-xs": [0.85, 1.4],
	"text-sm": [0.92, 1.4],
	"text-md": [1, 1.45],
	"text-lg": [1.15, 1.45],
	"heading-xs": [1, 1.35],
	"heading-sm": [1.1, 1.35],
	"heading-md": [1.25, 1.3],
	"heading-lg": [1.5, 1.3],
	"heading-xl": [1.75, 1.25],
	"heading-2xl": [2.1, 1.2],
	"heading-3xl": [2.5, 1.2],
};

/** The variables by VS Code's current theme. */
export function styleVariables(): Readonly<Record<string, string>> {
	const style = getComputedStyle(document.documentElement);
	const theme = (name: string): string => style.getPropertyValue(`--vscode-${name}`).trim();
	const base = Number.parseFloat(theme("font-size")) || 13;
	const found: [string, string][] = [
		...Object.entries(colors).map(([name, source]): [string, string] => [`--color-${name}`, theme(source)]),
		["--font-sans", theme("font-family")],
		["--font-mono", theme("editor-font-family")],
		...Object.entries(sizes).flatMap(([name, [part, height]]): [string, string][] => [
			[`--font-${name}-size`, `${Math.round(base * part * 10) / 10}px`],
			[`--font-${name}-line-height`, String(height)],
		]),
		...Object.entries(fixed),
	];
	return Object.fromEntries(found.filter(([, value]) => value !== ""));
}
