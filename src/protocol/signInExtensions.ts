/** The names of the extensions for authorization (modelcontextprotocol/ext-auth). */
export const signInExtensions = {
	clientCredentials: "io.modelcontextprotocol/oauth-client-credentials",
	enterpriseManaged: "io.modelcontextprotocol/enterprise-managed-authorization",
} as const;
