// discord.js as a client of the fake Discord: it does what a bot does and asserts what
// Discord would answer. It asks main.go, line by line, to be the people.
import assert from 'node:assert/strict';
import { createInterface } from 'node:readline';
import {
  ActionRowBuilder, ApplicationCommandOptionType, AttachmentBuilder, ButtonBuilder, ButtonStyle, ChannelType, Client, DiscordAPIError,
  Events, GatewayIntentBits, MessageFlags, ModalBuilder, Partials, REST, RateLimitError, StringSelectMenuBuilder, TextInputBuilder, TextInputStyle,
} from 'discord.js';

const { FAKE_URL, FAKE_TOKEN, FAKE_CHANNEL, FAKE_GUILD } = process.env;
const nobody = { parse: [] };

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
async function people(what, args = {}) {
  process.stdout.write(JSON.stringify({ do: what, ...args }) + '\n');
  const { value } = await lines.next();
  const reply = JSON.parse(value);
  assert.equal(reply.error, undefined, `${what}: ${reply.error}`);
  return reply;
}

const client = new Client({
  rest: { api: `${FAKE_URL}/api`, cdn: FAKE_URL, retries: 1, timeout: 60_000 },
  intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages, GatewayIntentBits.DirectMessages, GatewayIntentBits.MessageContent],
  partials: [Partials.Channel, Partials.Message],
});

function next(event, ok = () => true) {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${event} never came`)), 60_000);
    const take = (...args) => {
      if (!ok(...args)) return;
      clearTimeout(late);
      client.off(event, take);
      resolve(args.length > 1 ? args : args[0]);
    };
    client.on(event, take);
  });
}

// after waits for an event that something causes.
async function after(event, cause, ok) {
  const came = next(event, ok);
  await cause();
  return came;
}

async function refused(code, call) {
  await assert.rejects(call, (e) => e instanceof DiscordAPIError && e.code === code);
}

const steps = {
  async 'login and guilds'() {
    await after(Events.ClientReady, () => client.login(FAKE_TOKEN));
    const guild = client.guilds.cache.get(FAKE_GUILD);
    assert.equal(guild.available, true);
    assert.ok(guild.members.me.permissionsIn(FAKE_CHANNEL).has('SendMessagesInThreads'));
    assert.ok(guild.roles.botRoleFor(client.user).managed);
    const application = await client.application.fetch();
    assert.notEqual(application.id, client.user.id);
    assert.ok(application.flags.has('GatewayMessageContentLimited'));
  },

  async 'a message, an answer, edits and a deletion'() {
    const m = await after(Events.MessageCreate, () => people('say', { text: `<@${client.user.id}> hello` }), (m) => !m.author.bot);
    assert.ok(m.mentions.has(client.user));
    assert.equal(m.channel.type, ChannelType.GuildText);
    await m.channel.sendTyping();
    const answer = await m.reply({ content: 'You said: hello @everyone', allowedMentions: { ...nobody, repliedUser: false }, flags: MessageFlags.SuppressEmbeds });
    assert.equal(answer.reference.messageId, m.id);
    assert.equal(answer.mentions.everyone, false);
    const edited = await answer.edit({ content: 'edited', allowedMentions: nobody });
    assert.equal(edited.content, 'edited');
    assert.ok(edited.editedTimestamp);
    const once = { content: 'once', nonce: 'certify-1', enforceNonce: true, allowedMentions: nobody };
    assert.equal((await m.channel.send(once)).id, (await m.channel.send(once)).id);
    const gone = { content: 'gone', nonce: 'certify-2', enforceNonce: true, allowedMentions: nobody };
    await (await m.channel.send(gone)).delete();
    await refused(10008, () => m.channel.send(gone));
    await after(Events.MessageDelete, () => answer.delete(), (d) => d.id === answer.id);
    await refused(10008, () => m.channel.messages.fetch({ message: answer.id, force: true }));
    await refused(50035, () => m.channel.send({ content: 'x'.repeat(2001), allowedMentions: nobody }));
    await refused(50006, () => m.channel.send({ content: '', allowedMentions: nobody }));
    const [, changed] = await after(Events.MessageUpdate, () => people('edit', { id: m.id, text: 'changed' }), (_, n) => n.id === m.id);
    assert.equal(changed.content, 'changed');
    const history = await m.channel.messages.fetch({ limit: 10, after: '0' });
    assert.deepEqual([...history.values()].map((h) => h.content).sort(), ['changed', 'once']);
    const bulk = await after(Events.MessageBulkDelete, () => people('purge'));
    assert.equal(bulk[0].size, 2);
  },

  async 'a thread on a message'() {
    const m = await after(Events.MessageCreate, () => people('say', { text: 'in a thread, please' }), (m) => !m.author.bot);
    const thread = await m.startThread({ name: 'A thread', autoArchiveDuration: 1440 });
    assert.equal(thread.id, m.id);
    assert.equal(thread.parentId, FAKE_CHANNEL);
    await refused(160004, () => client.rest.post(`/channels/${FAKE_CHANNEL}/messages/${m.id}/threads`, { body: { name: 'again' } }));
    await thread.send({ content: 'here', allowedMentions: nobody });
    assert.equal((await thread.fetchStarterMessage()).content, 'in a thread, please');
    const inside = await after(Events.MessageCreate, () => people('say', { text: 'more', channel: thread.id }), (m) => !m.author.bot);
    assert.ok(inside.channel.isThread());
    await after(Events.ThreadUpdate, () => people('archive', { id: thread.id }), (_, n) => n.archived);
    await after(Events.ThreadUpdate, () => thread.send({ content: 'opened again', allowedMentions: nobody }), (_, n) => !n.archived);
    const impatient = new REST({ api: `${FAKE_URL}/api`, rejectOnRateLimit: () => true }).setToken(FAKE_TOKEN);
    const rename = (name) => impatient.patch(`/channels/${thread.id}`, { body: { name } });
    await rename('second');
    await rename('third');
    await assert.rejects(() => rename('fourth'), (e) => e instanceof RateLimitError && e.sublimitTimeout > 0 && e.limit > 2);
    const active = await client.guilds.cache.get(FAKE_GUILD).channels.fetchActiveThreads();
    assert.ok(active.threads.has(thread.id));
  },

  async 'a slash command, deferred'() {
    await client.application.commands.set([{
      name: 'docs', description: 'Documents',
      options: [{ type: ApplicationCommandOptionType.Subcommand, name: 'use', description: 'Use one',
        options: [{ type: ApplicationCommandOptionType.String, name: 'document', description: 'Which', required: true, autocomplete: true }] }],
    }, { name: 'ask', description: 'Ask', options: [{ type: ApplicationCommandOptionType.Attachment, name: 'file', description: 'A file' }] }]);
    const typed = next(Events.InteractionCreate, (i) => i.isAutocomplete());
    const choices = people('suggest', { text: 'docs use', option: 'document', value: 'no' });
    const auto = await typed;
    assert.equal(auto.options.getFocused(), 'no');
    await auto.respond([{ name: 'note.txt', value: '1' }]);
    assert.deepEqual((await choices).choices, ['note.txt']);

    const i = await after(Events.InteractionCreate, () => people('command', { text: 'docs use', option: 'document', value: 'note.txt' }));
    assert.equal(i.options.getSubcommand(), 'use');
    assert.equal(i.options.getString('document'), 'note.txt');
    await i.deferReply({ flags: MessageFlags.Ephemeral });
    await refused(40060, () => client.rest.post(`/interactions/${i.id}/${i.token}/callback`, { auth: false, body: { type: 5 } }));
    const original = await i.editReply({ content: 'Using note.txt.', allowedMentions: nobody });
    assert.ok(original.flags.has(MessageFlags.Ephemeral));
    assert.equal((await i.fetchReply()).content, 'Using note.txt.');
    const more = await i.followUp({ content: 'And more.', flags: MessageFlags.Ephemeral, allowedMentions: nobody });
    assert.ok(more.flags.has(MessageFlags.Ephemeral));
    assert.deepEqual((await people('read')).seen.slice(-2), ['Using note.txt.', 'And more.']);
    await i.deleteReply();

    const ask = await after(Events.InteractionCreate, () => people('command', { text: 'ask', option: 'file', file: 'question.txt' }));
    const attached = ask.options.getAttachment('file');
    assert.equal(attached.name, 'question.txt');
    await ask.reply({ content: 'Read.', allowedMentions: nobody });
  },

  async 'components and a modal'() {
    const channel = client.channels.cache.get(FAKE_CHANNEL);
    const row = new ActionRowBuilder().addComponents(
      new ButtonBuilder().setCustomId('red').setLabel('Red').setStyle(ButtonStyle.Primary),
      new ButtonBuilder().setCustomId('form').setLabel('Form').setStyle(ButtonStyle.Secondary));
    const menu = new ActionRowBuilder().addComponents(
      new StringSelectMenuBuilder().setCustomId('menu').addOptions({ label: 'One', value: '1' }, { label: 'Two', value: '2' }));
    const asked = await channel.send({ content: 'Which colour?', components: [row, menu], allowedMentions: nobody });
    const click = await after(Events.InteractionCreate, () => people('click', { id: asked.id, text: 'red' }), (i) => i.isButton());
    assert.equal(click.message.id, asked.id);
    await click.deferUpdate();
    await click.editReply({ content: 'Red it is.', components: [], allowedMentions: nobody });
    assert.equal((await channel.messages.fetch({ message: asked.id, force: true })).components.length, 0);
    const pick = await after(Events.InteractionCreate, () => people('click', { id: asked.id, text: 'menu', value: '2' }), (i) => i.isStringSelectMenu());
    assert.deepEqual(pick.values, ['2']);
    await pick.update({ content: 'Two.', allowedMentions: nobody });
    const form = await after(Events.InteractionCreate, () => people('click', { id: asked.id, text: 'form' }), (i) => i.isButton());
    await form.showModal(new ModalBuilder().setCustomId('modal').setTitle('Say it').addComponents(
      new ActionRowBuilder().addComponents(new TextInputBuilder().setCustomId('words').setLabel('Words').setStyle(TextInputStyle.Short))));
    const sent = await after(Events.InteractionCreate, () => people('submit', { option: 'words', value: 'light blue' }), (i) => i.isModalSubmit());
    assert.equal(sent.fields.getTextInputValue('words'), 'light blue');
    await sent.reply({ content: 'Thank you.', flags: MessageFlags.Ephemeral, allowedMentions: nobody });
  },

  async 'files, there and back'() {
    const m = await after(Events.MessageCreate, () => people('say', { text: 'read this', file: 'Annual notes.txt' }), (m) => !m.author.bot);
    const there = m.attachments.first();
    assert.equal(there.name, 'Annual_notes.txt');
    assert.equal(there.title, 'Annual notes');
    assert.equal(await (await fetch(there.url)).text(), 'content of Annual notes.txt');
    assert.equal((await fetch(there.url.replace(/hm=\w{4}/, 'hm=0000'))).status, 404);
    const sent = await m.channel.send({ content: 'a page', files: [new AttachmentBuilder(Buffer.from('picture'), { name: 'page.png', description: 'Page 3' })], allowedMentions: nobody });
    const back = sent.attachments.first();
    assert.equal(back.contentType, 'image/png');
    assert.equal(back.description, 'Page 3');
    assert.equal(await (await fetch(back.url)).text(), 'picture');
    await sent.edit({ content: 'taken back', attachments: [], allowedMentions: nobody });
    assert.equal((await m.channel.messages.fetch({ message: sent.id, force: true })).attachments.size, 0);
  },

  async 'a direct message'() {
    const m = await after(Events.MessageCreate, () => people('say', { text: 'just us', channel: 'dm' }), (m) => !m.author.bot);
    assert.equal(m.channel.type, ChannelType.DM);
    await m.author.send({ content: 'hello', allowedMentions: nobody });
  },

  async 'resume after a cut, and what was missed'() {
    const resumed = next(Events.ShardResume);
    const missed = next(Events.MessageCreate, (m) => m.content === 'while you were away');
    await people('cut', { text: 'while you were away' });
    await Promise.all([resumed, missed]);
    await after(Events.ShardResume, () => people('reconnect'));
    await after(Events.MessageCreate, () => people('say', { text: 'still there?' }), (m) => m.content === 'still there?');
  },

  async 'a limit of rate is waited for'() {
    const channel = client.channels.cache.get(FAKE_CHANNEL);
    const before = Date.now();
    for (let n = 0; n < 6; n++) await channel.send({ content: `${n}`, allowedMentions: nobody });
    assert.ok(Date.now() - before < 30_000); // five in five seconds, and what a busy machine takes
    await people('limit');
    await channel.send({ content: 'after the limit', allowedMentions: nobody });
  },
};

client.on(Events.Error, (e) => { throw e; });
for (const [name, step] of Object.entries(steps)) {
  try {
    await step();
  } catch (e) {
    process.stderr.write(`FAIL ${name}\n${e.stack}\n`);
    process.exit(1);
  }
  process.stderr.write(`ok   ${name}\n`);
}
await client.destroy();
await people('end');
process.exit(0);
