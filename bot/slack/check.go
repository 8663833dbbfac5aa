package slack

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"threadkeeper/bot/say"

	slackapi "github.com/slack-go/slack"
)

// maxSkew is how old a signed request may be
// (https://docs.slack.dev/authentication/verifying-requests-from-slack).
const maxSkew = 5 * time.Minute

// Who returns the workspace and our name in it.
func (a *Adapter) Who(ctx context.Context) (string, error) {
	who, err := a.authTest(ctx)
	if err != nil {
		return "", fmt.Errorf("slack: ask who we are: %w", err)
	}
	return fmt.Sprintf("workspace %s, as @%s", who.Team, who.User), nil
}

// authTest is who we are, with the head of the answer.
func (a *Adapter) authTest(ctx context.Context) (who *slackapi.AuthTestResponse, err error) {
	err = a.call(ctx, "auth.test", "", func(ctx context.Context) (err error) {
		who, err = a.api.AuthTestContext(ctx)
		return err
	})
	return who, err
}

// Check tests as much of its set-up as Slack lets a bot see, and reports each
// result: what was found, or an error that says what will not work.
func (a *Adapter) Check(ctx context.Context, report func(name, found string, err error)) {
	who, err := a.authTest(ctx)
	if err != nil {
		report("Slack", "", tokenTrouble("SLACK_BOT_TOKEN", err))
		return
	}
	report("Slack", fmt.Sprintf("workspace %s, as @%s", who.Team, who.User), nil)
	found, err := compareScopes(who.Header)
	report("Slack scopes", found, err)
	found, err = a.checkConnection(ctx, who)
	report("Slack events", found, err)
	found, err = a.checkAgent(ctx)
	report("Slack agent", found, err)
}

// checkAgent finds out whether the app is an agent, and whether SLACK_AGENT_VIEW says so. Only agents have sessions: an agent is told
// that there is none where none can be.
func (a *Adapter) checkAgent(ctx context.Context) (string, error) {
	var direct []slackapi.Channel
	err := a.call(ctx, "users.conversations", "", func(ctx context.Context) (err error) {
		direct, _, err = a.api.GetConversationsForUserContext(ctx, &slackapi.GetConversationsForUserParameters{Types: []string{"im"}, Limit: 1})
		return err
	})
	if err == nil && len(direct) > 0 {
		err = a.call(ctx, "agents.sessions.rename", "", func(ctx context.Context) error {
			_, err := a.api.RenameAgentSessionContext(ctx, slackapi.AgentSessionRenameParameters{Title: say.In("en").Untitled, ChannelID: direct[0].ID, ThreadTS: "1.000001"})
			return err
		})
	}
	code := errorCode(err)
	switch agent := code == "session_not_found"; {
	case !agent && !slices.Contains(noSessionCodes, code):
		return "not known: Slack tells it only after somebody has sent the app a direct message", nil
	case agent && !a.AgentView:
		return "", errors.New("the app is an agent: set SLACK_AGENT_VIEW=true, or all direct messages of a person are one conversation")
	case !agent && a.AgentView:
		return "", errors.New("the app is not an agent: direct messages have no titles, no Stop button and no list of conversations. " +
			"Install the app from the manifest that `threadkeeper manifest slack` prints, or set SLACK_AGENT_VIEW=false")
	case agent:
		return "yes: each direct message opens a conversation", nil
	}
	return "no: the direct messages of a person are one conversation", nil
}

func tokenTrouble(setting string, err error) error {
	var answer slackapi.SlackErrorResponse
	switch {
	case !errors.As(err, &answer):
		return fmt.Errorf("%w\nSlack cannot be reached from here: check the network, and SLACK_API_URL if it is set", err)
	case answer.Err == "invalid_auth" || answer.Err == "not_authed":
		return fmt.Errorf("%w\nSlack does not recognise %s: copy it again from the app's pages", err, setting)
	case answer.Err == "account_inactive" || answer.Err == "token_revoked" || answer.Err == "token_expired":
		return fmt.Errorf("%w\n%s is no longer valid: install the app again and copy the new token", err, setting)
	case answer.Err == "missing_scope":
		return fmt.Errorf("%w\n%s lacks %s", err, setting, answer.Needed)
	}
	return err
}

// compareScopes sets what the token was granted, which Slack says in the head of
// its answers, against what the manifest asks for.
func compareScopes(head http.Header) (string, error) {
	text := head.Get("X-OAuth-Scopes")
	if text == "" {
		return fmt.Sprintf("Slack did not list them. Please compare by hand, on the app's page \"OAuth & Permissions\": %s", names(scopes)), nil
	}
	granted := strings.Split(strings.ReplaceAll(text, " ", ""), ",")
	var missing []string
	for _, s := range scopes {
		if !slices.Contains(granted, s.Name) {
			missing = append(missing, fmt.Sprintf("%s is missing: %s", s.Name, s.Costs))
		}
	}
	if len(missing) > 0 {
		missing = append(missing, `Add them on the app's page "OAuth & Permissions" (threadkeeper manifest slack has them all), and install the app again`)
		return "", errors.New(strings.Join(missing, "\n"))
	}
	return fmt.Sprintf("all %d", len(scopes)), nil
}

func names(needs []need) string {
	var all []string
	for _, n := range needs {
		all = append(all, n.Name)
	}
	return strings.Join(all, ", ")
}

// checkConnection looks at how events come. Slack tells nobody but the holder of a
// configuration token which events an app is subscribed to, so they are named.
func (a *Adapter) checkConnection(ctx context.Context, who *slackapi.AuthTestResponse) (string, error) {
	app := a.appOf(ctx, who.BotID)
	byHand := fmt.Sprintf("\nSlack does not show a bot its event subscriptions. Please compare by hand, at %s: %s", subscriptionsPage(app), names(events))
	if a.SigningSecret != "" && a.Listen != "" {
		if skew, known := clockSkew(who.Header, time.Now()); known && skew.Abs() > maxSkew {
			return "", fmt.Errorf("this machine's clock is %s away from Slack's: signed events will be refused as too old. Set the clock", skew.Abs().Round(time.Second))
		}
		return fmt.Sprintf("by HTTP, on %s; the first event will show whether events arrive and SLACK_SIGNING_SECRET is right%s", a.Listen, byHand), nil
	}
	if other := appNamed(a.AppToken); other != "" && app != "" && other != app {
		return "", fmt.Errorf("SLACK_APP_TOKEN belongs to app %s and SLACK_BOT_TOKEN to app %s, so no event will arrive. Copy both from the pages of the same app", other, app)
	}
	err := a.call(ctx, "apps.connections.open", "", func(ctx context.Context) error {
		_, _, err := a.api.StartSocketModeContext(ctx)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("%w\nNo event will arrive: Socket Mode must be on, and the token needs connections:write", tokenTrouble("SLACK_APP_TOKEN", err))
	}
	return "Socket Mode opens" + byHand, nil
}

// appNamed returns the app that an app-level token names, "" if it names none.
func appNamed(token string) string {
	parts := strings.Split(token, "-") // xapp-1-A0123-…
	if len(parts) < 4 || !strings.HasPrefix(parts[2], "A") {
		return ""
	}
	return parts[2]
}

func (a *Adapter) appOf(ctx context.Context, id string) string {
	var b *slackapi.Bot
	err := a.call(ctx, "bots.info", "", func(ctx context.Context) (err error) {
		b, err = a.api.GetBotInfoContext(ctx, slackapi.GetBotInfoParameters{Bot: id})
		return err
	})
	if err != nil {
		return ""
	}
	return b.AppID
}

func subscriptionsPage(app string) string {
	if app == "" {
		return "https://api.slack.com/apps"
	}
	return "https://api.slack.com/apps/" + app + "/event-subscriptions"
}

// clockSkew is how far our clock is ahead of the one that dated an answer.
func clockSkew(head http.Header, now time.Time) (time.Duration, bool) {
	at, err := http.ParseTime(head.Get("Date"))
	return now.Sub(at), err == nil
}
