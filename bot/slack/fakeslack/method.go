package fakeslack

// message arguments that several methods share.
const (
	written   = "text blocks attachments markdown_text metadata parse link_names mrkdwn username icon_emoji icon_url"
	unfurling = " unfurl_links unfurl_media"
	paged     = " cursor limit"
)

// methods are the Web API: all that the fake knows. Scopes, arguments and tiers are those
// of Slack's method reference.
var methods map[string]method

func init() { // methods refer to functions that read methods
	methods = map[string]method{
		"auth.test":             {special, "", "", false, (*Server).authTest},
		"apps.connections.open": {tier1, "connections:write", "", true, (*Server).openConnection},

		"chat.postMessage":   {posting, "chat:write", "channel thread_ts reply_broadcast " + written + unfurling, false, (*Server).postMessage},
		"chat.postEphemeral": {tier4, "chat:write", "channel user thread_ts " + written, false, (*Server).postEphemeral},
		"chat.update":        {tier3, "chat:write", "channel ts reply_broadcast file_ids as_user " + written + unfurling, false, (*Server).updateMessage},
		"chat.delete":        {tier3, "chat:write", "channel ts as_user", false, (*Server).deleteMessage},
		"chat.startStream":   {tier2, "chat:write", "channel thread_ts markdown_text chunks recipient_team_id recipient_user_id task_display_mode username icon_emoji icon_url", false, (*Server).startStream},
		"chat.appendStream":  {tier4, "chat:write", "channel ts markdown_text chunks", false, (*Server).appendStream},
		"chat.stopStream":    {tier2, "chat:write", "channel ts markdown_text chunks blocks metadata session_status", false, (*Server).stopStream},

		"conversations.info":    {tier3, reading, "channel", false, (*Server).conversationInfo},
		"conversations.members": {tier4, reading, "channel" + paged, false, (*Server).conversationMembers},
		"users.conversations":   {tier3, reading, "types" + paged, false, (*Server).conversationList},
		"conversations.open":    {tier3, "im:write", "users return_im", false, (*Server).conversationOpen},
		"conversations.history": {tier3, telling, "channel inclusive latest oldest include_all_metadata" + paged, false, (*Server).history},
		"conversations.replies": {tier3, telling, "channel ts inclusive latest oldest include_all_metadata" + paged, false, (*Server).replies},

		"users.list": {tier2, "users:read", "include_locale team_id" + paged, false, (*Server).userList},
		"users.info": {tier4, "users:read", "user include_locale", false, (*Server).userInfo},
		"bots.info":  {tier3, "users:read", "bot team_id", false, (*Server).botInfo},

		"files.info":                   {tier4, "files:read", "file count page" + paged, false, (*Server).fileInfo},
		"files.delete":                 {tier3, "files:write", "file", false, (*Server).fileDelete},
		"files.getUploadURLExternal":   {tier4, "files:write", "filename length alt_txt snippet_type", false, (*Server).uploadURL},
		"files.completeUploadExternal": {tier4, "files:write", "files channel_id channels initial_comment thread_ts blocks", false, (*Server).completeUpload},

		"views.open":    {tier4, "", "trigger_id interactivity_pointer view", false, (*Server).openView},
		"views.publish": {tier4, "", "user_id view", false, (*Server).publishView},

		"agents.sessions.rename":                {tier3, "chat:write", "channel_id title thread_ts", false, (*Server).rename},
		"agents.sessions.setStatus":             {tier3, "chat:write", "channel_id status thread_ts title initiator_user_id icon_emoji icon_url username", false, (*Server).setSession},
		"assistant.threads.setStatus":           {special, "chat:write", "channel_id thread_ts status loading_messages username icon_url icon_emoji", false, (*Server).setStatus},
		"assistant.threads.setTitle":            {tier3, "assistant:write", "channel_id thread_ts title", false, (*Server).setTitle},
		"assistant.threads.setSuggestedPrompts": {tier3, "assistant:write", "channel_id thread_ts title prompts", false, (*Server).setPrompts},
	}
}

// Scopes of methods that work with any one of several.
const (
	reading = "channels:read groups:read im:read mpim:read"
	telling = "channels:history groups:history im:history mpim:history"
)

const workspaceURL = "https://threadworks.slack.com/"

func (s *Server) authTest(*call) (object, error) {
	return object{"url": workspaceURL, "team": teamName, "user": BotName, "team_id": TeamID, "user_id": BotUser,
		"bot_id": BotID, "is_enterprise_install": false}, nil
}

func (s *Server) botInfo(c *call) (object, error) {
	if c.str("bot") != BotID {
		return nil, errCode("bot_not_found")
	}
	return object{"bot": object{"id": BotID, "app_id": AppID, "user_id": BotUser, "name": BotName, "deleted": false, "updated": 1700000000}}, nil
}

func (s *Server) userInfo(c *call) (object, error) {
	u := s.users[c.str("user")]
	if u == nil {
		return nil, errCode("user_not_found")
	}
	shown := u.json()
	if c.yes("include_locale") && !u.Stranger {
		shown["locale"] = u.Locale
	}
	return object{"user": shown}, nil
}

func (s *Server) userList(c *call) (object, error) {
	page, next, err := pageOf(c, s.order, limitMost)
	all := []object{}
	for _, id := range page {
		all = append(all, s.users[id].json())
	}
	return object{"members": all, "response_metadata": object{"next_cursor": next}}, err
}

// json is a person as users.info shows them; a stranger has a thin profile.
func (u *User) json() object {
	v := object{"id": u.ID, "team_id": u.Team, "name": u.Name, "deleted": false, "is_bot": u.Bot, "is_app_user": false,
		"updated": 1700000000, "profile": object{"real_name": u.RealName, "display_name": u.Name, "team": u.Team,
			"real_name_normalized": u.RealName, "display_name_normalized": u.Name, "bot_id": u.BotID, "api_app_id": u.AppID}}
	if u.Stranger {
		v["is_stranger"] = true
		return v
	}
	v["real_name"] = u.RealName
	v["tz"], v["tz_label"], v["tz_offset"] = u.TimeZone, u.TimeZone, 0
	v["is_admin"], v["is_owner"], v["is_primary_owner"] = u.Admin || u.Owner, u.Owner, false
	v["is_restricted"], v["is_ultra_restricted"] = u.Restricted || u.UltraRestricted, u.UltraRestricted
	return v
}
