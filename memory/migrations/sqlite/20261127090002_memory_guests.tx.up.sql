-- Guests who are in a channel, as far as its platform told: whatever they say or do not say, they read along.
CREATE TABLE guests (
    platform    TEXT NOT NULL,
    workspace   TEXT NOT NULL,
    channel     TEXT NOT NULL,
    platform_id TEXT NOT NULL,
    PRIMARY KEY (platform, workspace, channel, platform_id)
);
