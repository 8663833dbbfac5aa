package bot

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"threadkeeper/bot/access"
	"threadkeeper/bot/hearing"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// Reply says where a message at the top of a channel is answered.
type Reply string

const (
	ReplyThread  Reply = "thread"  // in a thread on it, which is the session; the default
	ReplyChannel Reply = "channel" // beside it: the channel is the session
)

// Names of the settings that hold a channel's hearing.Follow and Reply, in the scope
// memory.ChannelScope; scope "" holds the default of all channels.
const (
	FollowSetting       = "follow"
	ReplySetting        = "reply"
	InstructionsSetting = "instructions" // the model's instructions in the channel; it has no default
	BotsSetting         = "bots"         // the programs answered in the channel, as in an access.List; it has no default
	ModelSetting        = "model"        // which of Bot.Models answers in the channel; the first if it is not one of them
)

const settingsFamily = "settings"

// listen has us answer in a thread without a mention, or no longer.
func listen(ctx context.Context, c *call) (platform.Outgoing, error) {
	cmd, _ := registered("listen")
	switch value := strings.ToLower(strings.TrimSpace(c.Args[0])); {
	case c.Audience.Channel.Kind == memory.DM:
		return commandText(c.say.NoSettings)
	case c.Session.Thread == "":
		return commandText(c.say.ListenThread)
	case !slices.Contains(cmd.Options[0].Values, value):
		return commandText(fmt.Sprintf(c.say.OneOf, "`"+strings.Join(cmd.Options[0].Values, "`, `")+"`"))
	default:
		return c.setListening(ctx, value == "on")
	}
}

func (c *call) setListening(ctx context.Context, on bool) (platform.Outgoing, error) {
	own, text := hearing.FollowQuiet, c.say.ListenOff
	if on {
		own, text = "", c.say.ListenOn
		follow, err := c.Bot.setting(ctx, c.Session.Key, FollowSetting, string(c.Bot.Follow))
		if err != nil {
			return platform.Outgoing{}, err
		}
		if follow == string(hearing.FollowMention) || follow == string(hearing.FollowQuiet) {
			own = hearing.FollowThread
		}
	}
	if err := c.Bot.Store.SetSetting(ctx, sessionScope(c.Session.ID), FollowSetting, string(own)); err != nil {
		return platform.Outgoing{}, wrap("store setting", err)
	}
	return commandText(text)
}

// silenceOffered is the setting of a conversation that has shown the button to stop listening.
const silenceOffered = "silence offered"

// offerSilence puts a button to stop listening under the first answer that no mention asked for, in a
// thread of several people.
func (t *turn) offerSilence(ctx context.Context, p *outboxPayload) error {
	if t.request.Kind != platform.EventMessage || t.request.Mention || t.session.Thread == "" || t.request.Channel.Kind == memory.DM || p.Out.Question != nil || !t.platform.Limits().Clicks {
		return nil
	}
	store, scope := t.bot.Store, sessionScope(t.session.ID)
	alone, err := store.IsOnlySpeaker(ctx, t.session.ID, t.request.Author.ID)
	if err != nil || alone {
		return wrap("look who has spoken", err)
	}
	shown, err := store.Setting(ctx, scope, silenceOffered)
	if err != nil || shown != "" {
		return wrap("read setting", err)
	}
	p.Out.Buttons = append(p.Out.Buttons, platform.Button{Label: t.say.ListenButton, Action: platform.ListenOffAction})
	return wrap("store setting", store.SetSetting(ctx, scope, silenceOffered, "yes"))
}

// setting returns a channel's setting, else that of all channels, else otherwise.
func (b *Bot) setting(ctx context.Context, key memory.Key, name, otherwise string) (string, error) {
	for _, scope := range []string{memory.ChannelScope(key), ""} {
		value, err := b.Store.Setting(ctx, scope, name)
		if err != nil {
			return "", fmt.Errorf("bot: read setting: %w", err)
		}
		if value != "" {
			return value, nil
		}
	}
	return otherwise, nil
}

func settingsShow(ctx context.Context, c *call) (platform.Outgoing, error) {
	return c.showSettings(ctx, "")
}

// showSettings shows one setting of the command's channel, the two lists of who may use us together, or with "" all of them.
func (c *call) showSettings(ctx context.Context, only string) (platform.Outgoing, error) {
	if c.Audience.Channel.Kind == memory.DM {
		return commandText(c.say.NoSettings)
	}
	var lines []string
	show := func(name, text string) {
		if text != "" && (only == "" || only == name) {
			lines = append(lines, "- "+name+": "+text)
		}
	}
	for _, s := range []struct{ name, usual, empty string }{
		{FollowSetting, string(c.Bot.Follow), ""}, {ReplySetting, string(c.Bot.Reply), ""}, {memory.CarryoverSetting, "on", ""},
		{InstructionsSetting, "", c.say.NoInstructions}, {BotsSetting, "", c.say.Nobody},
	} {
		value, err := c.Bot.setting(ctx, c.Session.Key, s.name, s.usual)
		if err != nil {
			return platform.Outgoing{}, err
		}
		if policy := c.say.Policies[s.name+" "+value]; policy != "" {
			show(s.name, "`"+value+"` – "+policy)
		} else {
			show(s.name, cmp.Or(say.Quote(value), s.empty))
		}
	}
	tokens, err := c.threshold(ctx)
	if err != nil {
		return platform.Outgoing{}, err
	}
	show(memory.ThresholdSetting, "`"+c.say.Number(tokens)+"` – "+c.say.Policies["threshold"])
	model, err := c.Bot.modelOf(ctx, c.Session.Key)
	if err != nil {
		return platform.Outgoing{}, err
	}
	show(ModelSetting, say.Quote(model))
	if lists := only == "" || only == memory.AllowSetting || only == memory.DenySetting; lists && c.Person.Admin { // who may use us is nothing to others
		rules, err := c.Bot.access(ctx, c.Session.Key)
		if err != nil {
			return platform.Outgoing{}, err
		}
		lines = append(lines, "- allow: "+cmp.Or(say.Quote(rules.Set.Allow.String()), c.say.Everyone), "- deny: "+cmp.Or(say.Quote(rules.Set.Deny.String()), c.say.Nobody))
		if len(rules.Owner.Allow)+len(rules.Owner.Deny) > 0 {
			lines = append(lines, "", c.say.OwnLists)
		}
	}
	return commandText(strings.Join(lines, "\n"))
}

// setList changes a list of the workspace, which is empty after the word none. It has to leave the one who changes it
// open where they do.
func (c *call) setList(ctx context.Context, name, none string) (platform.Outgoing, error) {
	rules, err := c.Bot.access(ctx, c.Session.Key)
	if err != nil {
		return platform.Outgoing{}, err
	}
	list, wrong := &rules.Set.Allow, ""
	if name == memory.DenySetting {
		list = &rules.Set.Deny
	}
	if text := strings.TrimSpace(c.Args[0]); strings.EqualFold(text, none) {
		*list = nil
	} else if *list, err = list.Edit(text); err != nil || len(*list) == 0 && name == memory.AllowSetting { // which would open it to everybody
		wrong = fmt.Sprintf(c.say.WrongList, none, access.MaxEntries)
	}
	if who := c.Event.Author; wrong == "" && c.Person.Admin {
		who.Admin = true
		if rules.Set.Of(c.Session.Key, c.Audience.Channel.Kind, who) != access.Open {
			wrong = c.say.LockedOut
		}
	}
	value := list.String()
	if value != "" {
		value = " " + strings.ReplaceAll(value, " ", "  ") + " "
	}
	return c.changeSettingIn(ctx, memory.WorkspaceScope(c.Session.Key), name, value, wrong)
}

func settingsBots(ctx context.Context, c *call) (platform.Outgoing, error) {
	value, err := c.Bot.Store.Setting(ctx, memory.ChannelScope(c.Session.Key), BotsSetting)
	if err != nil {
		return platform.Outgoing{}, wrap("read setting", err)
	}
	list, _ := access.ParseList(value)
	wrong := ""
	if text := strings.TrimSpace(c.Args[0]); strings.EqualFold(text, "nobody") {
		list = nil
	} else if list, err = list.Edit(text); err != nil || !list.OnlyPeople() {
		wrong = fmt.Sprintf(c.say.WrongBots, "nobody")
	}
	return c.changeSetting(ctx, BotsSetting, list.String(), wrong)
}

// threshold is that of the channel's conversations that have none of their own, in tokens.
func (c *call) threshold(ctx context.Context) (int, error) {
	value, err := c.Bot.Store.Setting(ctx, memory.ChannelScope(c.Session.Key), memory.ThresholdSetting)
	if err != nil {
		return 0, wrap("read setting", err)
	}
	if n, _ := threshold(value); n > 0 {
		return n, nil
	}
	return c.Bot.Store.Policy.Threshold, nil
}

// modelOf returns the model that answers in a channel, "" without any.
func (b *Bot) modelOf(ctx context.Context, key memory.Key) (string, error) {
	if len(b.Models) == 0 {
		return "", nil
	}
	name, err := b.Store.Setting(ctx, memory.ChannelScope(key), ModelSetting)
	if err != nil {
		return "", wrap("read setting", err)
	}
	if !slices.Contains(b.Models, name) {
		name = b.Models[0]
	}
	return name, nil
}

func settingsModel(ctx context.Context, c *call) (platform.Outgoing, error) {
	name := strings.TrimSpace(c.Args[0])
	i := slices.IndexFunc(c.Bot.Models, func(m string) bool { return strings.EqualFold(m, name) })
	switch {
	case i >= 0:
		return c.changeSetting(ctx, ModelSetting, c.Bot.Models[i], "")
	case len(c.Bot.Models) == 0:
		return c.changeSetting(ctx, ModelSetting, "", c.say.NoModels)
	}
	return c.changeSetting(ctx, ModelSetting, "", fmt.Sprintf(c.say.OneOf, "`"+strings.Join(c.Bot.Models, "`, `")+"`"))
}

// settingsThreshold sets how full the conversations of a channel get before they are folded, except those with
// a threshold of their own.
func settingsThreshold(ctx context.Context, c *call) (platform.Outgoing, error) {
	n, ok := threshold(c.Args[0])
	if !ok {
		return c.changeSetting(ctx, memory.ThresholdSetting, "", fmt.Sprintf(c.say.LeastThreshold, c.say.Number(leastThreshold)))
	}
	value := ""
	if n > 0 {
		value = strconv.Itoa(n)
	}
	return c.changeSetting(ctx, memory.ThresholdSetting, value, "")
}

const mostInstructions = 2_000

func settingsInstructions(ctx context.Context, c *call) (platform.Outgoing, error) {
	text, wrong := strings.TrimSpace(reading.Visible(c.Args[0])), ""
	switch {
	case utf8.RuneCountInString(text) > mostInstructions:
		wrong = fmt.Sprintf(c.say.LongInstructions, c.say.Number(mostInstructions))
	case strings.EqualFold(text, "none"):
		text = ""
	}
	return c.changeSetting(ctx, InstructionsSetting, text, wrong)
}

func set(name string) runs {
	return func(ctx context.Context, c *call) (platform.Outgoing, error) {
		cmd, _ := registered("settings " + name)
		value, wrong := strings.ToLower(strings.TrimSpace(c.Args[0])), ""
		if values := cmd.Options[0].Values; !slices.Contains(values, value) {
			wrong = fmt.Sprintf(c.say.OneOf, "`"+strings.Join(values, "`, `")+"`")
		}
		return c.changeSetting(ctx, name, value, wrong)
	}
}

// changeSetting stores a setting of the command's channel, if an administrator gave the command and the value
// is valid.
func (c *call) changeSetting(ctx context.Context, name, value, wrong string) (platform.Outgoing, error) {
	return c.changeSettingIn(ctx, memory.ChannelScope(c.Session.Key), name, value, wrong)
}

func (c *call) changeSettingIn(ctx context.Context, scope, name, value, wrong string) (platform.Outgoing, error) {
	switch {
	case c.Audience.Channel.Kind == memory.DM:
		return commandText(c.say.NoSettings)
	case !c.Person.Admin:
		return commandText(c.say.AdminsOnly)
	case wrong != "":
		return commandText(wrong)
	}
	if err := c.Bot.Store.SetSetting(ctx, scope, name, value); err != nil {
		return platform.Outgoing{}, wrap("store setting", err)
	}
	return c.showSettings(ctx, name)
}
