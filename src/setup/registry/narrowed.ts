import type { RegistryServer } from "../serverJson/registryServer.ts";

/** The servers that hold what is typed, of those that were found before: what is shown while a registry has not answered. */
export function narrowed(servers: readonly RegistryServer[], typed: string): readonly RegistryServer[] {
	const words = typed.trim().toLowerCase();
	return servers.filter(({ name, title, description }) =>
		`${name} ${title ?? ""} ${description}`.toLowerCase().includes(words),
	);
}
