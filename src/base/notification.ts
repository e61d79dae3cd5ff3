/**
 * A text that stays text in a notification: VS Code turns `[label](command:…)` and `[label](https:…)` in a message into
 * links, commands included, and a server's name or error could hold one (security.md UI-02).
 */
export function withoutLinks(text: string): string {
	return text.replaceAll("](", "] (");
}
