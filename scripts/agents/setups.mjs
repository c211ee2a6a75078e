const key = "sk-scripted";

const setups = {
  claude: ({ url, hasKey, workspace }) => ({
    env: {
      ANTHROPIC_BASE_URL: url,
      ...(hasKey && { ANTHROPIC_API_KEY: key }),
      // Without this, claude refuses to skip permissions as root.
      IS_SANDBOX: "1",
      // By default claude retries ten times, which takes minutes.
      CLAUDE_CODE_MAX_RETRIES: "1",
    },
    ...(workspace && {
      files: { ".claude.json": JSON.stringify({ projects: { [workspace]: { hasTrustDialogAccepted: true } } }) },
    }),
  }),
  codex: ({ url, hasKey, workspace }) => ({
    env: hasKey ? { SCRIPTED_KEY: key } : {},
    files: {
      ".codex/config.toml": [
        // For unknown models, codex truncates tool results after 10 000 bytes unless this limit is set.
        'model = "scripted"\nmodel_provider = "scripted"\ntool_output_token_limit = 10000',
        '[model_providers.scripted]\nname = "Scripted"',
        `base_url = "${url}/v1"\nenv_key = "SCRIPTED_KEY"\nwire_api = "responses"\n`,
        ...(workspace === undefined ? [] : [`[projects.${JSON.stringify(workspace)}]\ntrust_level = "trusted"\n`]),
      ].join("\n"),
    },
  }),
  opencode: ({ url, hasKey }) => ({
    files: {
      ".config/opencode/opencode.json": JSON.stringify({
        $schema: "https://opencode.ai/config.json",
        ...{ model: "scripted/scripted", small_model: "scripted/scripted", autoupdate: false, share: "disabled" },
        provider: {
          scripted: {
            ...{ npm: "@ai-sdk/anthropic", name: "Scripted" },
            options: { baseURL: `${url}/v1`, ...(hasKey && { apiKey: key }) },
            models: {
              scripted: {
                name: "Scripted",
                cost: { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 },
                limit: { context: 200_000, output: 8000 },
              },
            },
          },
        },
      }),
    },
  }),
  gemini: ({ url, hasKey, isTrusted }) => ({
    env: {
      GOOGLE_GEMINI_BASE_URL: url,
      ...(hasKey && { GEMINI_API_KEY: key }),
      ...(isTrusted && { GEMINI_CLI_TRUST_WORKSPACE: "true" }),
    },
    ...(hasKey && {
      files: { ".gemini/settings.json": JSON.stringify({ security: { auth: { selectedType: "gemini-api-key" } } }) },
    }),
  }),
  qwen: ({ url, hasKey }) => ({
    env: { OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: "scripted", ...(hasKey && { OPENAI_API_KEY: key }) },
  }),
  copilot: ({ url, hasKey, workspace }) => ({
    env: hasKey
      ? { COPILOT_PROVIDER_BASE_URL: `${url}/v1`, COPILOT_PROVIDER_API_KEY: key, COPILOT_MODEL: "scripted" }
      : {},
    ...(workspace && { files: { ".copilot/config.json": JSON.stringify({ trustedFolders: [workspace] }) } }),
  }),
  droid: ({ url, hasKey }) => ({
    env: hasKey ? { FACTORY_API_KEY: "fk-scripted" } : {},
    files: {
      ".factory/settings.json": JSON.stringify({
        model: "custom:scripted-0",
        customModels: [
          {
            ...{ model: "scripted", displayName: "scripted", baseUrl: url, provider: "anthropic" },
            ...{ apiKey: key, maxOutputTokens: 8000 },
          },
        ],
      }),
    },
  }),
};

export function setUp(name, { url, hasKey = true, isTrusted, workspace }) {
  const { env = {}, files = {} } = setups[name]({ url, hasKey, isTrusted, workspace });
  return { env, files };
}
