// Slack's own types over the requests in the files named: what fakeslack takes (and what
// the adapter sends) must satisfy them, and what they refuse must be refused.
import { readFileSync, writeFileSync, rmSync } from "node:fs";
import { spawnSync } from "node:child_process";

const typeOf = (method) => method.split(".").map((part) => part[0].toUpperCase() + part.slice(1)).join("") + "Arguments";
const types = new Set();
const lines = [];
let kept = 0, refused = 0;
for (const file of process.argv.slice(2)) {
  for (const entry of JSON.parse(readFileSync(file, "utf8"))) {
    // a message alone is what chat.postMessage posts
    const { method, args, error, types: seen } = entry.method ? entry : { method: "chat.postMessage", args: { channel: "C1", ...entry } };
    if (error && !seen) continue; // a rule that types cannot express
    error ? refused++ : kept++;
    types.add(typeOf(method));
    if (error) lines.push("// @ts-expect-error");
    lines.push(`({ _: ${JSON.stringify(args)} }) satisfies { _: ${typeOf(method)} };`);
  }
}
const source = "shapes.generated.ts";
writeFileSync(source, `import type { ${[...types].sort().join(", ")} } from "@slack/web-api";\n${lines.join("\n")}\n`);
const tsc = spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "--noEmit", "--pretty", "--strict", "--skipLibCheck", "--target", "es2022",
  "--module", "nodenext", "--moduleResolution", "nodenext", source], { stdio: "inherit" });
rmSync(source);
if (tsc.status !== 0) process.exit(1);
console.log(`Slack's types take ${kept} requests and refuse ${refused}, as they should.`);
