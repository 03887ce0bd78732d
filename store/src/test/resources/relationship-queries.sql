-- section: children
-- Direct children only
SELECT sr.child_session_id, sr.relationship_type, sr.spawn_reason, s.status
FROM session_relationships sr
JOIN sessions s ON sr.child_session_id = s.session_id
WHERE sr.parent_session_id = 'main-session-001';

-- All descendants (recursive)
WITH RECURSIVE session_hierarchy AS (
    -- Base case: direct children
    SELECT child_session_id, parent_session_id, depth_level, session_path
    FROM session_relationships
    WHERE parent_session_id = 'main-session-001'

    UNION ALL

    -- Recursive case: children of children
    SELECT sr.child_session_id, sr.parent_session_id, sr.depth_level, sr.session_path
    FROM session_relationships sr
    JOIN session_hierarchy sh ON sr.parent_session_id = sh.child_session_id
)
SELECT * FROM session_hierarchy;
-- section: timeline
SELECT
    e.timestamp,
    e.session_id,
    e.parent_session_id,
    e.session_depth,
    e.hook_event_type,
    s.session_type,
    sr.relationship_type,
    sr.spawn_reason
FROM events e
LEFT JOIN sessions s ON e.session_id = s.session_id
LEFT JOIN session_relationships sr ON e.session_id = sr.child_session_id
WHERE e.timestamp BETWEEN ? AND ?
ORDER BY e.timestamp;
-- section: waves
SELECT
    e.wave_id,
    COUNT(DISTINCT e.session_id) as wave_sessions,
    MIN(e.timestamp) as wave_start,
    MAX(e.timestamp) as wave_end,
    COUNT(*) as total_events
FROM events e
WHERE e.wave_id IS NOT NULL
GROUP BY e.wave_id
ORDER BY wave_start DESC;
-- section: performance
SELECT
    s.session_id,
    s.session_type,
    s.duration_ms,
    s.agent_count,
    s.total_tokens,
    COUNT(e.id) as event_count,
    sr.depth_level
FROM sessions s
LEFT JOIN events e ON s.session_id = e.session_id
LEFT JOIN session_relationships sr ON s.session_id = sr.child_session_id
WHERE s.start_time >= ?
GROUP BY s.session_id
ORDER BY s.start_time DESC;
-- section: spawn-delays
SELECT
    parent.session_id as parent_id,
    parent.session_type as parent_type,
    child.session_id as child_id,
    child.session_type as child_type,
    sr.spawn_reason,
    sr.delegation_type,
    (child.start_time - parent.start_time) as spawn_delay_ms,
    child.duration_ms as child_duration
FROM sessions parent
JOIN session_relationships sr ON parent.session_id = sr.parent_session_id
JOIN sessions child ON sr.child_session_id = child.session_id
WHERE parent.start_time >= ?
ORDER BY parent.start_time, child.start_time;
-- section: rollback
-- Verify table structure matches original
PRAGMA table_info(events);
SELECT COUNT(*) FROM events; -- Should match pre-migration count

-- Verify no relationship columns exist
SELECT sql FROM sqlite_master WHERE name = 'events';
-- section: validation
-- Verify relationship constraints
SELECT COUNT(*) as self_references
FROM session_relationships
WHERE parent_session_id = child_session_id; -- Should be 0

-- Check referential integrity
SELECT COUNT(*) as orphaned_children
FROM session_relationships sr
LEFT JOIN sessions s ON sr.child_session_id = s.session_id
WHERE s.session_id IS NULL;

-- Validate session paths
SELECT session_path, COUNT(*)
FROM session_relationships
WHERE session_path IS NOT NULL
GROUP BY session_path
HAVING COUNT(*) > 1; -- Should show any duplicate paths
-- section: plans
-- Test relationship query performance
EXPLAIN QUERY PLAN
SELECT * FROM session_relationships
WHERE parent_session_id = 'test-session';

-- Test wave query performance
EXPLAIN QUERY PLAN
SELECT * FROM events
WHERE wave_id = 'wave-001'
ORDER BY timestamp;
