/**
 * Variables that decide which code a program runs: where it is looked for, what is loaded into it, from which registry it
 * is fetched, which settings of tools count. Names are compared without case, since Windows knows none.
 */
const deciding = new RegExp(
	`^(${[
		// Where programs and their settings are looked for
		"PATH|PATHEXT|COMSPEC|SHELL|HOME|HOMEPATH|HOMEDRIVE|PREFIX|USERPROFILE|APPDATA|LOCALAPPDATA|SYSTEMROOT|WINDIR|XDG_(CONFIG|DATA)_(HOME|DIRS)",
		// Variables for code that the system loads into every program
		"LD_\\w+|DYLD_\\w+|GCONV_PATH|OPENSSL_(CONF|ENGINES|MODULES)",
		// Shells
		"BASH_ENV|BASH_FUNC_.*|ENV|ZDOTDIR|IFS|PROMPT_COMMAND|PS4|SHELLOPTS|BASHOPTS|PSMODULEPATH",
		// Runtimes
		"NODE_(OPTIONS|PATH|REPL_EXTERNAL_MODULE)|ELECTRON_RUN_AS_NODE|DENO_\\w+|BUN_\\w+|TS_NODE_\\w+",
		"PYTHON(PATH|HOME|STARTUP|INSPECT|BREAKPOINT|USERBASE|PLATLIBDIR|EXECUTABLE|CASEOK|PYCACHEPREFIX)|VIRTUAL_ENV|CONDA_\\w+",
		"RUBY(OPT|LIB|SHELL)|GEM_(HOME|PATH)|BUNDLE_\\w+|PERL(5OPT|5LIB|5DB|LIB|5SHELL)|PHPRC|PHP_INI_SCAN_DIR|LUA_(PATH|CPATH|INIT)\\w*",
		"ERL_(AFLAGS|FLAGS|ZFLAGS|LIBS)|ELIXIR_ERL_OPTIONS|R_(PROFILE|ENVIRON|LIBS)(_\\w+)?|JULIA_(LOAD|DEPOT)_PATH",
		"PYENV_\\w+|NVM_DIR|VOLTA_HOME|ASDF_\\w+",
		"_?JAVA_(TOOL_)?OPTIONS|JAVA_OPTS|(MAVEN|GRADLE)_(OPTS|ARGS)|GRADLE_USER_HOME|JDK_JAVA_OPTIONS|JAVA_HOME|CLASSPATH|DOTNET_(STARTUP_HOOKS|ROOT|ADDITIONAL_DEPS)\\w*|COR(ECLR)?_\\w+",
		// Variables for the sources of packages
		"NPM_CONFIG_.*|YARN_\\w+|PNPM_\\w+|COREPACK_\\w+|UV_\\w+|PIP_\\w+|PIPX_\\w+|GO(FLAGS|ROOT|PATH|PROXY|TOOLCHAIN|ENV)|CARGO_\\w+|RUSTC?_\\w*WRAPPER|RUSTUP_\\w+",
		// Whom a download is believed from: with a proxy, another authority gives another package
		"NODE_(EXTRA_CA_CERTS|TLS_REJECT_UNAUTHORIZED)|SSL_CERT_(FILE|DIR)|(CURL|REQUESTS|AWS)_CA_BUNDLE|CURL_HOME|WGETRC|PYTHONHTTPSVERIFY",
		// Programs that others start. For git, names of authors and prompts decide nothing
		"GIT_(?!(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)$|TERMINAL_PROMPT$)\\w+|SSH_ASKPASS",
		"MAKE|MAKE(FLAGS|FILES|SHELL|OVERRIDES)|GNUMAKEFLAGS|MFLAGS|KUBECONFIG|AWS_(CONFIG|SHARED_CREDENTIALS)_FILE",
		"EDITOR|VISUAL|PAGER|BROWSER|DOCKER_(HOST|CONFIG|CONTEXT)",
	].join("|")})$`,
	"i",
);

/**
 * The names among those whose values are secrets that open a registry, and decide nothing. Only the end of a name is
 * decisive: a registry may belong to a scope named `@secretlab`.
 */
const secret = /(tokens?|_auth|auth_?ident|passw(or)?d|passphrase|secrets?|(api|access|secret|private)_?key|_pat)$/i;

/**
 * Whether a variable of this name decides which code runs. A user must see its value before they approve a server
 * (CFG-27), and no file may set it afterwards (CFG-28).
 */
export function decidesWhatRuns(name: string): boolean {
	return deciding.test(name) && !secret.test(name);
}
