import type { RegistryServer } from "../serverJson/registryServer.ts";

/** The servers of earlier results that match the typed text: shown while a registry has not answered. */
export function narrowed(servers: readonly RegistryServer[], typed: string): readonly RegistryServer[] {
	const words = typed.trim().toLowerCase();
	return servers.filter(({ name, title, description }) =>
		`${name} ${title ?? ""} ${description}`.toLowerCase().includes(words),
	);
}
