// A client made of Slack's own SDK. It meets a running fakeslack, in the part of the
// app; main.go plays the people and judges what is left behind.
import assert from "node:assert/strict";
import { SocketModeClient } from "@slack/socket-mode";
import { WebClient } from "@slack/web-api";

const slackApiUrl = process.env.SLACK_API_URL;
const web = new WebClient(process.env.SLACK_BOT_TOKEN, { slackApiUrl });
const socket = new SocketModeClient({ appToken: process.env.SLACK_APP_TOKEN, clientOptions: { slackApiUrl } });

const plain = (text) => ({ type: "plain_text", text });
const seen = [];
const step = (name) => { seen.push(name); console.log(name); };
const fail = (error) => { console.error(error); process.exit(1); };
const on = (event, what) => socket.on(event, (e) => what(e).catch(fail));

let finish;
const done = new Promise((resolve) => { finish = resolve; });

on("slack_event", async ({ type, ack }) => {
  if (type === "events_api") await ack();
});

on("app_mention", async ({ event, body }) => {
  if (event.text.includes("again")) return step("received after a refresh");
  const me = await web.auth.test();
  assert.equal(body.authorizations[0].user_id, me.user_id);
  const { user } = await web.users.info({ user: event.user });
  assert.equal(user.tz, "Europe/Lisbon");
  const { channel } = await web.conversations.info({ channel: event.channel });
  assert.equal(channel.is_member, true);
  step("received");

  const file = await fetch(event.files[0].url_private_download, { headers: { authorization: `Bearer ${process.env.SLACK_BOT_TOKEN}` } });
  assert.equal(await file.text(), "three years");
  const thief = await fetch(event.files[0].url_private_download);
  assert.match(thief.url, /redir=/);
  step("downloaded");

  const thread = { channel: event.channel, thread_ts: event.ts };
  await web.assistant.threads.setStatus({ channel_id: event.channel, thread_ts: event.ts, status: "is reading", loading_messages: ["page 1", "page 2"] });
  const posted = await web.chat.postMessage({
    ...thread, text: "Which colour?", metadata: { event_type: "reply", event_payload: { nonce: "n1" } },
    blocks: [
      { type: "markdown", text: "**Which** colour?" },
      { type: "actions", elements: [{ type: "button", text: plain("Red"), action_id: "red", value: "1" }] },
      { type: "context_actions", elements: [{ type: "feedback_buttons", action_id: "feedback",
        positive_button: { text: plain("Good"), value: "good" }, negative_button: { text: plain("Bad"), value: "bad" } }] },
    ],
  });
  await web.chat.update({ channel: event.channel, ts: posted.ts, text: "Which colour, please?" });
  await web.chat.postEphemeral({ ...thread, user: event.user, text: "Only you see this" });
  const { messages } = await web.conversations.replies({ channel: event.channel, ts: event.ts, include_all_metadata: true });
  assert.deepEqual(messages[1].metadata.event_payload, { nonce: "n1" });
  await assert.rejects(web.chat.postMessage({ ...thread, blocks: [{ type: "section", txt: "x" }] }), /invalid_blocks/);
  step("posted");

  const stream = web.chatStream({ ...thread, recipient_team_id: body.team_id, recipient_user_id: event.user });
  const words = "A sentence that is long enough. ".repeat(12);
  await stream.append({ markdown_text: words });
  await stream.append({ markdown_text: words });
  await stream.stop({ markdown_text: "The end." });
  step("streamed");

  await web.filesUploadV2({ channel_id: event.channel, thread_ts: event.ts, filename: "export.jsonl", content: "{}", initial_comment: "Here it is" });
  step("uploaded");

  await web.views.publish({ user_id: event.user, view: { type: "home", blocks: [{ type: "header", text: plain("Threads") }] } });
  step("published");
});

on("slash_commands", async ({ body, ack }) => {
  assert.equal(body.command, "/memory");
  await ack();
  const answer = await fetch(body.response_url, { method: "POST", headers: { "content-type": "application/json" },
    body: JSON.stringify({ text: "context 10 %", response_type: "ephemeral" }) });
  assert.equal(answer.status, 200);
  step("commanded");
});

on("interactive", async ({ body, ack }) => {
  await ack();
  if (body.type === "block_actions") {
    assert.equal(body.actions[0].value, "1");
    step("clicked");
    await web.views.open({ trigger_id: body.trigger_id, view: { type: "modal", callback_id: "more", title: plain("More"), submit: plain("Send"),
      blocks: [{ type: "input", block_id: "b", label: plain("What?"), element: { type: "plain_text_input", action_id: "a" } }] } });
  } else if (body.type === "view_submission") {
    assert.equal(body.view.state.values.b.a.value, "turquoise");
    step("submitted");
  } else if (body.type === "message_action") {
    assert.equal(body.callback_id, "thread_memory");
    step("chosen");
    finish();
  }
});

await socket.start();
step("connected");
const late = setTimeout(() => fail(new Error(`stuck after: ${seen.join(", ")}`)), 240_000);
await done;
clearTimeout(late);
await socket.disconnect();
