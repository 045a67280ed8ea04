// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.world;

import io.gradstream.simulator.world.Violation.Kind;

/** Mistakes that could be made, put into the ports around the production code to show that the checks see them. */
public enum PlantedFault
{
    /** None. */
    NONE,
    /** A head says recorded when a part is applied only. */
    ACKNOWLEDGE_BEFORE_RECORDED(Kind.WATERMARK_BEYOND_TRUTH, Kind.ACKNOWLEDGED_TOO_EARLY),
    /** A server finds another list of keys under a number than the one that a worker has sent with it. */
    KEYS_OF_ANOTHER_LIST(Kind.MODEL_DIFFERS, Kind.LOST, Kind.DOUBLED, Kind.WRONG_OUTCOME),
    /** A server keeps the lists of a worker's process for the next one of the slot, and does not compare hashes. */
    KEYS_KEPT_FOR_NEXT_PROCESS(Kind.MODEL_DIFFERS, Kind.LOST, Kind.DOUBLED, Kind.WRONG_OUTCOME),
    /** A server compares neither number nor hash with the list that it finds where a number has its place. */
    KEYS_NOT_COMPARED(Kind.MODEL_DIFFERS, Kind.LOST, Kind.DOUBLED, Kind.WRONG_OUTCOME),
    /** Snapshots lose the table of last sequences. */
    DEDUPE_TABLE_LOST(Kind.REPLICA_HALTED, Kind.INVARIANT_BROKEN, Kind.LOST, Kind.HASH_DIFFERS, Kind.DOUBLED),
    /** The worker lets go of what is applied only. */
    RELEASE_AT_APPLIED(Kind.ACKNOWLEDGED_TOO_EARLY),
    /** The head takes a sequence it already has for the next one, whose own part is then taken for the duplicate. */
    DUPLICATE_ADMITTED(Kind.DOUBLED, Kind.LOST, Kind.INVARIANT_BROKEN, Kind.WORKER_HALTED),
    /** Watermarks of an older epoch pass for the new one's. */
    STALE_EPOCH_ACCEPTED(
        Kind.WATERMARK_BEYOND_TRUTH, Kind.WATERMARK_WENT_BACK, Kind.WORKER_HALTED, Kind.WRONG_OUTCOME),
    /** Rows in a snapshot are younger than the snapshot's position. */
    NO_COPY_BEFORE_WRITE(Kind.DOUBLED, Kind.HASH_DIFFERS, Kind.MODEL_DIFFERS),
    /** A restart finds the log shorter than it was recorded. */
    RECORDED_LOG_TRUNCATED(Kind.LOST, Kind.WORKER_HALTED, Kind.REPLICA_HALTED, Kind.WATERMARK_BEYOND_TRUTH,
        Kind.NO_PROGRESS, Kind.POSITIONS),
    /** After a takeover the head still takes parts of the old incarnation that were under way. */
    OLD_INCARNATION_ADMITTED(Kind.LOST, Kind.DOUBLED, Kind.WORKER_HALTED, Kind.MODEL_DIFFERS, Kind.WRONG_OUTCOME,
        Kind.WATERMARK_BEYOND_TRUTH, Kind.ACKNOWLEDGED_TOO_EARLY),
    /** A new incarnation continues after parts that are not safe yet, nor is its takeover. */
    WELCOME_AT_UNRECORDED(Kind.WORKER_HALTED, Kind.ACKNOWLEDGED_TOO_EARLY, Kind.WATERMARK_BEYOND_TRUTH),
    /** The head alone knows, in memory, which process holds a slot. */
    TAKEOVER_NOT_LOGGED(Kind.WORKER_HALTED, Kind.LOST, Kind.DOUBLED, Kind.MODEL_DIFFERS),
    /** A new incarnation is welcomed before its takeover is recorded and replicated. */
    WELCOME_BEFORE_TAKEOVER_IS_SAFE(Kind.WORKER_HALTED, Kind.LOST, Kind.DOUBLED, Kind.MODEL_DIFFERS),
    /** Watermarks of a slot reach the process that was replaced, which takes its successor's parts for its own. */
    REPLACED_PROCESS_TOLD(Kind.LOST),
    /** A welcome to an earlier hello, or to the process before, passes for the answer to this one. */
    LATE_WELCOME_ACCEPTED(Kind.WORKER_HALTED, Kind.ACKNOWLEDGED_TOO_EARLY, Kind.LOST, Kind.DOUBLED),
    /** A refusal of what came by an earlier connection passes for one of this. */
    LATE_REFUSAL_ACCEPTED(Kind.WORKER_HALTED),
    /** A refusal that was told is remembered although a new primary may take the part. */
    REFUSAL_KEPT_FOR_THE_NEXT_EPOCH(Kind.WRONG_OUTCOME),
    /** The caller hears of a refusal that a failover may take back. */
    REFUSAL_TOLD_BEFORE_IT_IS_SAFE(Kind.ACKNOWLEDGED_TOO_EARLY),
    /** Snapshots lose which parts were refused. */
    REFUSALS_LOST_IN_SNAPSHOT(Kind.WRONG_OUTCOME),
    /** Snapshots lose those refusals of a slot that do not fit its first frame. */
    FURTHER_REFUSALS_LOST_IN_SNAPSHOT(Kind.WRONG_OUTCOME),
    /** A snapshot counts before the log has been recorded up to its position. */
    SNAPSHOT_AHEAD_OF_LOG(Kind.REPLICA_HALTED, Kind.ACKNOWLEDGED_TOO_EARLY, Kind.WATERMARK_BEYOND_TRUTH,
        Kind.POSITIONS, Kind.NO_PROGRESS),
    /** The only snapshot that is kept counts for what is covered. */
    FIRST_SNAPSHOT_COVERS(Kind.WATERMARK_BEYOND_TRUTH, Kind.ACKNOWLEDGED_TOO_EARLY),
    /** A head says replicated when a part is applied at the head only. */
    ACKNOWLEDGE_BEFORE_REPLICATED(Kind.WATERMARK_BEYOND_TRUTH),
    /** A head that is alone says replicated before its log has it recorded. */
    DEGRADED_ACKNOWLEDGED_AT_APPLIED(Kind.WATERMARK_BEYOND_TRUTH, Kind.LOST),
    /** A standby says it has applied what it may not even have received. */
    STANDBY_ACKNOWLEDGES_EARLY(Kind.WATERMARK_BEYOND_TRUTH, Kind.LOST),
    /** A standby says recorded when it has applied only. */
    STANDBY_RECORDED_EARLY(Kind.WATERMARK_BEYOND_TRUTH, Kind.LOST),
    /** A head answers workers however long it has heard nothing of its standby. */
    LEASE_UNCHECKED(Kind.TWO_PRIMARIES, Kind.WATERMARK_BEYOND_TRUTH),
    /** A head counts its lease from when its standby's grant arrives, not from when it sent the granted heartbeat. */
    LEASE_FROM_ARRIVAL(Kind.TWO_PRIMARIES),
    /** A head asks its direct standby's heartbeats alone whether it may answer. */
    LEASE_FROM_NEIGHBOUR_ONLY(Kind.TWO_PRIMARIES),
    /** A member in the middle of a chain stands by its head without a lease of its own. */
    MIDDLE_GRANTS_WITHOUT_LEASE(Kind.TWO_PRIMARIES),
    /** A standby that has asked to be promoted stands by its head again when it hears it. */
    GRANT_AFTER_ASKING(Kind.TWO_PRIMARIES),
    /** A head answers until it acts on the decision that took its place. */
    LOST_PLACE_NOT_SEEN(Kind.TWO_PRIMARIES, Kind.WATERMARK_BEYOND_TRUTH),
    /** A standby does not follow its predecessor to the next term. */
    PADDING_NOT_FOLLOWED(Kind.REPLICA_HALTED),
    /** The log is deleted behind the newest snapshot, so that the one before is of no use. */
    LOG_DELETED_TOO_EARLY(Kind.REPLICA_HALTED, Kind.NO_PROGRESS),
    /** A watermark passes a refused part without saying that it was refused. */
    REFUSAL_NOT_TOLD(Kind.WRONG_OUTCOME),
    /** A replica that comes back keeps the end of its log that nobody else has. */
    DIVERGENT_TAIL_KEPT(
        Kind.NO_PROGRESS, Kind.REPLICA_HALTED, Kind.HASH_DIFFERS, Kind.POSITIONS, Kind.INVARIANT_BROKEN),
    /** A record changes on the way to the standby, and its checksum fits. */
    FORWARD_CORRUPTED(Kind.HASH_DIFFERS, Kind.REPLICA_HALTED),
    /** A record that broke on the way is taken for one of another history. */
    TRANSIT_ROT_TAKEN_FOR_DIVERGENCE(Kind.REPLICA_HALTED),
    /** A joiner deletes what it has while its admission may be under way. */
    JOINER_WIPES_UNASKED(Kind.WATERMARK_BEYOND_TRUTH, Kind.LOST, Kind.NO_PROGRESS),
    /** The coordinator promotes without raising the epoch. */
    EPOCH_NOT_RAISED(Kind.INVARIANT_BROKEN, Kind.TWO_PRIMARIES, Kind.NO_PROGRESS, Kind.HASH_DIFFERS),
    /** The coordinator promotes a joiner, which is not in sync. */
    JOINER_PROMOTED(Kind.LOST, Kind.WATERMARK_BEYOND_TRUTH, Kind.TWO_PRIMARIES, Kind.INVARIANT_BROKEN,
        Kind.WORKER_HALTED, Kind.NO_PROGRESS, Kind.REPLICA_HALTED, Kind.HASH_DIFFERS),
    /** The coordinator takes a joiner into the in-sync set before it has what was acknowledged. */
    JOINER_ADMITTED_EARLY(Kind.LOST, Kind.WATERMARK_BEYOND_TRUTH, Kind.WORKER_HALTED, Kind.REPLICA_HALTED,
        Kind.NO_PROGRESS),
    /** An older decision of the coordinator is taken for its newest. */
    STALE_MAP_APPLIED(Kind.TWO_PRIMARIES, Kind.LOST, Kind.WATERMARK_BEYOND_TRUTH, Kind.INVARIANT_BROKEN,
        Kind.REPLICA_HALTED, Kind.NO_PROGRESS, Kind.WORKER_HALTED, Kind.HASH_DIFFERS),
    /** A decision about an earlier life of a node is taken for one about this life. */
    MAP_OF_EARLIER_LIFE(Kind.TWO_PRIMARIES, Kind.LOST, Kind.WATERMARK_BEYOND_TRUTH, Kind.INVARIANT_BROKEN,
        Kind.REPLICA_HALTED, Kind.NO_PROGRESS, Kind.WORKER_HALTED, Kind.HASH_DIFFERS),
    /** The report of an earlier process of a node counts for its process of now. */
    REPORT_OF_EARLIER_LIFE_COUNTS(Kind.LOST, Kind.WATERMARK_BEYOND_TRUTH, Kind.TWO_PRIMARIES, Kind.NO_PROGRESS,
        Kind.NOT_SERVED, Kind.INVARIANT_BROKEN, Kind.WORKER_HALTED, Kind.REPLICA_HALTED, Kind.HASH_DIFFERS,
        Kind.DECISION_WRONG),
    /** A partition without a head is opened with a copy that ends before what was acknowledged. */
    SHORT_LOG_OPENED(Kind.LOST, Kind.WORKER_HALTED, Kind.NOT_SERVED),
    /** A head answers workers before the coordinators know without whom it goes on. */
    HEAD_GOES_ON_UNCONFIRMED(Kind.ANSWERED_UNCONFIRMED),
    /** A head confirms before it has recorded what it has acknowledged with others. */
    CONFIRMS_AT_ONCE(Kind.CONFIRMED_TOO_EARLY),
    /** A joiner whose log is needed as it is follows, and may cut it, before the head has confirmed. */
    NEEDED_JOINER_FOLLOWS(Kind.NEEDED_LOG_CUT),
    /** A head answers by the lease it had before it was paused. */
    LEASE_UNCHECKED_AFTER_PAUSE(Kind.TWO_PRIMARIES, Kind.WATERMARK_BEYOND_TRUTH),
    /** A coordinator gives the lead away on one worker's word, though others reach the head. */
    TRANSFEREE_ON_ONE_WORD(Kind.DECISION_WRONG),
    /** A transferee claims the lead at once, while the head may still hold a lease by what it was granted. */
    CLAIM_AT_ONCE(Kind.TWO_PRIMARIES, Kind.WATERMARK_BEYOND_TRUTH),
    /** A transferee stands by its head until it takes the lead. */
    TRANSFEREE_GRANTS(Kind.TWO_PRIMARIES, Kind.WATERMARK_BEYOND_TRUTH),
    /** A transferee says at once that the head has stopped and has handed on all it had. */
    LEAD_TAKEN_OVER_AT_ONCE(Kind.REPLICA_HALTED, Kind.TWO_PRIMARIES, Kind.WATERMARK_BEYOND_TRUTH, Kind.LOST,
        Kind.NO_PROGRESS),
    /** The coordinators have a lead handed over, however short ago it has moved, or anything else has changed. */
    LEAD_HANDED_OVER_TOO_SOON(Kind.DECISION_WRONG),
    /** A coordinator's snapshot does not hold since when heads lead. */
    SNAPSHOT_LOSES_SINCE_WHEN_HEADS_LEAD(Kind.COORDINATORS_DIFFER),
    /** A head that has stopped to hand the lead over goes on answering, lease or not, until it hears who leads. */
    SEALED_HEAD_ANSWERS(Kind.TWO_PRIMARIES, Kind.WATERMARK_BEYOND_TRUTH),
    /** A node deletes its copy as soon as its place has been given to another node. */
    MOVED_COPY_DELETED_AT_ONCE(Kind.NEEDED_LOG_CUT, Kind.LOST, Kind.NO_PROGRESS, Kind.INVARIANT_BROKEN),
    /** A node deletes its copy once it is no member, before the head has confirmed that it goes on without it. */
    MOVED_COPY_DELETED_UNCONFIRMED(Kind.NEEDED_LOG_CUT, Kind.LOST),
    /** News that a node has reported once are in no later report, and are lost with a leader or a session. */
    REPORT_NOT_REPEATED(Kind.NO_PROGRESS),
    /** The coordinators go on believing a suspicion that later reports do not repeat. */
    SUSPICION_NOT_TAKEN_BACK(Kind.TWO_PRIMARIES, Kind.NO_PROGRESS, Kind.NOT_SERVED, Kind.WATERMARK_BEYOND_TRUTH),
    /** A coordinator's snapshot does not hold the epochs of partitions. */
    SNAPSHOT_LOSES_EPOCHS(Kind.COORDINATORS_DIFFER),
    /** A coordinator's snapshot does not hold who may have what was acknowledged. */
    SNAPSHOT_LOSES_IN_SYNC_SETS(Kind.COORDINATORS_DIFFER),
    /** A coordinator's snapshot does not hold which nodes are answered. */
    SNAPSHOT_LOSES_WHO_IS_ANSWERED(Kind.COORDINATORS_DIFFER),
    /** A coordinator that starts again takes what its snapshot already holds. */
    COMMAND_APPLIED_TWICE(Kind.COORDINATORS_DIFFER),
    /** A new leader counts the time in which nobody led against the nodes. */
    DEADLINES_KEPT(Kind.DECISION_WRONG),
    /** The leader tells what a majority does not have yet. */
    UNCOMMITTED_MAP_TOLD(Kind.COORDINATORS_DIFFER, Kind.DECISION_WRONG),
    /** A node complains of others without knowing whether the coordinators hear it. */
    COMPLAINT_WITHOUT_PROOF(Kind.NOT_SERVED),
    /** A node takes a connection to a leader, which may be cut off, for the coordinators' answer. */
    CONNECTION_PASSES_FOR_ANSWER(Kind.NOT_SERVED),
    /** The coordinators believe whoever complains, and promote it though they do not reach it. */
    COMPLAINT_BELIEVED_UNANSWERED(Kind.NOT_SERVED),
    /** A head is taken to hear its standby as long as it sends. */
    DEAFNESS_NOT_SEEN(Kind.NOT_SERVED),
    /** A head that was never told that it is one is left in its place. */
    UNTOLD_HEAD_KEPT(Kind.NOT_SERVED),
    /** A standby stands by its head while it is about to ask for its place. */
    GRANT_IN_DOUBT(Kind.TWO_PRIMARIES),
    /** A head answers pulls however long it has had no lease. */
    PULL_WITHOUT_LEASE(Kind.TWO_PRIMARIES, Kind.STALE_READ),
    /** A worker does not say behind which of its pushes a pull is. */
    PULL_BEFORE_OWN_PUSHES(Kind.STALE_READ),
    /** A worker does not say for which iteration a pull is. */
    PULL_WITHOUT_CLOCK(Kind.STALENESS_EXCEEDED),
    /** A head answers pulls one iteration earlier than it may. */
    BOUND_OFF_BY_ONE(Kind.STALENESS_EXCEEDED),
    /** A head answers pulls by another bound than the log says, which it has been told and does not log. */
    BOUND_NOT_LOGGED(Kind.STALENESS_EXCEEDED),
    /** A pull that waits for slots waits only for those that have pushed something. */
    UNSEEN_SLOT_NOT_COUNTED(Kind.STALENESS_EXCEEDED, Kind.STALE_READ),
    /** A head answers pulls of a clock when it holds the ends of that clock, and has not applied what is before. */
    CLOCK_BEFORE_ITS_PUSHES(Kind.STALENESS_EXCEEDED, Kind.STALE_READ),
    /** A slot that is silent for a while holds nobody back any more. */
    SILENT_SLOT_DROPPED(Kind.STALENESS_EXCEEDED, Kind.MODEL_DIFFERS),
    /** A part that is held until all slots have ended the clock counts as applied. */
    HELD_TOLD_AS_APPLIED(Kind.WATERMARK_BEYOND_TRUTH, Kind.ACKNOWLEDGED_TOO_EARLY),
    /** A clock is added up in another order than that of the slots. */
    SUM_IN_ARRIVAL_ORDER(Kind.MODEL_DIFFERS),
    /** A push of a slot in a clock is in the sum twice after a failover. */
    CONTRIBUTION_COUNTED_TWICE(Kind.MODEL_DIFFERS),
    /** The first sum of a duty cycle after a failover is applied twice. */
    CYCLE_COUNTED_TWICE(Kind.MODEL_DIFFERS, Kind.HASH_DIFFERS),
    /** The records of a sum are applied as they come, and not all with the last. */
    HALF_A_SUM_APPLIED(Kind.MODEL_DIFFERS, Kind.DOUBLED, Kind.LOST, Kind.WRONG_OUTCOME),
    /** A copy that follows finds what the rate counts by itself, from the updates that it has seen in this life. */
    STANDBY_COMPUTES_ITS_OWN_FACTOR(Kind.HASH_DIFFERS, Kind.MODEL_DIFFERS),
    /** A worker asks for rows once, and again when it is attached anew or told to only. */
    PULL_ASKED_ONCE(Kind.NO_PROGRESS),
    /** A worker does not mind that the server, which lives, says nothing of a session any more. */
    SESSION_FORGOTTEN_UNSEEN(Kind.NO_PROGRESS),
    /** A worker takes rows of an older place of the log after those of a newer one. */
    OLDER_ROWS_ACCEPTED(Kind.STALE_READ),
    /** A hello is answered by the lease as it was before a pause. */
    WELCOME_BY_OLD_LEASE(Kind.TWO_PRIMARIES),
    /** A log counts as recorded although the snapshot that it begins behind is not kept. */
    LOG_WITHOUT_ITS_SNAPSHOT_COUNTS(Kind.WATERMARK_BEYOND_TRUTH),
    /** A process goes on although another one is its node. */
    REPLACED_PROCESS_GOES_ON(Kind.NO_PROGRESS),
    /** The repair cuts off a frame in which a bit has flipped, with all behind it, as if it had been torn. */
    BROKEN_FRAME_CUT_AS_TORN(Kind.LOST),
    /** A log that is damaged passes for one that ends before the damage. */
    DAMAGED_LOG_PASSES_FOR_SHORT(Kind.LOST, Kind.WATERMARK_BEYOND_TRUTH, Kind.WORKER_HALTED, Kind.POSITIONS,
        Kind.REPLICA_HALTED, Kind.HASH_DIFFERS),
    /** The coordinators give the number of a deleted job to the next one. */
    JOB_NUMBER_USED_AGAIN(Kind.DECISION_WRONG, Kind.OF_ANOTHER_JOB, Kind.NO_PROGRESS),
    /** A chain of a new job begins with epochs and versions that chains of a deleted job have had. */
    PARTITION_BEGINS_ANEW(Kind.DECISION_WRONG),
    /** A report about a copy of a deleted job counts for the job that has the partition now. */
    REPORT_OF_ANOTHER_JOB_COUNTS(Kind.DECISION_WRONG),
    /** A node does not hear that a job was deleted, and keeps its copy in its role. */
    DELETED_JOB_KEEPS_ITS_ROLE(Kind.NO_PROGRESS),
    /** A node deletes of the first job what it should delete of another. */
    ANOTHER_JOB_WIPED(Kind.NEEDED_LOG_CUT, Kind.LOST, Kind.NO_PROGRESS, Kind.INVARIANT_BROKEN),
    /** A node opens, for a new job, what it has of a deleted job's partition of the same number. */
    COPY_OF_DELETED_JOB_OPENED(Kind.OF_ANOTHER_JOB, Kind.INVARIANT_BROKEN, Kind.REPLICA_HALTED, Kind.HASH_DIFFERS),
    /** The request of a worker is answered from the copy of another job with the same number. */
    ANSWERED_FROM_ANOTHER_JOB(Kind.OF_ANOTHER_JOB),
    /** A node keeps what it has of a job that was deleted while the node was away. */
    JOB_DELETED_WHILE_AWAY_KEPT(Kind.NO_PROGRESS),
    /** The end of an iteration is told as that of the one before. */
    CLOCK_TOLD_BEHIND(Program.ITERATIONS, Kind.MODEL_DIFFERS, Kind.NO_PROGRESS),
    /** The end of an iteration is told as that of the one after. */
    CLOCK_TOLD_AHEAD(Program.ITERATIONS, Kind.MODEL_DIFFERS, Kind.STALENESS_EXCEEDED),
    /** A process does not say that it has adopted parts of the process before it. */
    ADOPTED_NOT_NAMED(Program.ITERATIONS, Kind.MODEL_DIFFERS, Kind.NO_PROGRESS, Kind.LOST),
    /** A process says that it has adopted one part less than it has. */
    ADOPTED_TOO_FEW(Program.ITERATIONS, Kind.MODEL_DIFFERS, Kind.NO_PROGRESS, Kind.LOST),
    /** A slot that has finished tells the end of one more iteration. */
    FINISH_TOLD_AS_A_CLOCK(Program.ITERATIONS, Kind.MODEL_DIFFERS, Kind.NO_PROGRESS),
    /** A slot that has ended its last iteration has finished, though it does not say so. */
    LAST_CLOCK_TOLD_AS_FINISH(Program.ITERATIONS, Kind.MODEL_DIFFERS),
    /** A pull asks for the rows of the iteration before its own. */
    PULL_BEHIND_ITS_CLOCK(Program.ITERATIONS, Kind.STALENESS_EXCEEDED, Kind.MODEL_DIFFERS),
    /** A pull asks for the rows of the iteration after its own. */
    PULL_AHEAD_OF_ITS_CLOCK(Program.ITERATIONS, Kind.NO_PROGRESS, Kind.MODEL_DIFFERS),
    /** A process that takes a slot over hears of one iteration less than the slot has ended. */
    WELCOME_CLOCK_BEHIND(Program.ITERATIONS, Kind.MODEL_DIFFERS, Kind.NO_PROGRESS, Kind.INVARIANT_BROKEN,
        Kind.WRONG_OUTCOME, Kind.STALENESS_EXCEEDED),
    /** A process that takes a slot over hears of one iteration more than the slot has ended. */
    WELCOME_CLOCK_AHEAD(Program.ITERATIONS, Kind.MODEL_DIFFERS, Kind.NO_PROGRESS, Kind.INVARIANT_BROKEN,
        Kind.STALENESS_EXCEEDED),
    /** A process that takes a slot over does not hear of parts that are held for it. */
    HELD_PARTS_FORGOTTEN(Program.ITERATIONS, Kind.MODEL_DIFFERS, Kind.NO_PROGRESS, Kind.INVARIANT_BROKEN),
    /** A process does not hear that its parts are held until all slots end the iteration. */
    SEQUENTIAL_NOT_TOLD(Program.ITERATIONS, Kind.MODEL_DIFFERS, Kind.NO_PROGRESS, Kind.INVARIANT_BROKEN),
    /** A process does not hear that an earlier primary may have held more of the iteration that the slot is at. */
    LACK_NOT_TOLD(Program.ITERATIONS, Kind.MODEL_DIFFERS),
    /** A part counts as held when it is sent, so that the end of an iteration goes out too early. */
    SENT_TAKEN_FOR_HELD(
        Program.ITERATIONS, Kind.MODEL_DIFFERS, Kind.INVARIANT_BROKEN, Kind.WATERMARK_BEYOND_TRUTH),
    /** Pushes held by an older primary pass for held by the new one: the end of an iteration goes out too early. */
    HELD_OF_OLDER_PRIMARY_BELIEVED(Program.ITERATIONS, Kind.MODEL_DIFFERS, Kind.WATERMARK_BEYOND_TRUTH),
    /** A part counts as applied when it is held, so that an iteration ends before the one before it is applied. */
    HELD_TAKEN_FOR_APPLIED(Program.ITERATIONS, Kind.MODEL_DIFFERS, Kind.WATERMARK_BEYOND_TRUTH),
    /** A primary that a process reaches again has one part less than it has acknowledged to that process. */
    ACKNOWLEDGED_PART_NOT_WELCOMED(Program.ITERATIONS, Kind.WORKER_HALTED),
    /** A process of a slot that is backed up skips iterations of the other one that are applied only. */
    SKIPS_BEHIND_APPLIED(Program.ITERATIONS, Kind.ACKNOWLEDGED_TOO_EARLY, Kind.LOST),
    /** A process of a slot that is backed up begins behind parts of the other one that are not safe. */
    BACKED_UP_BEGINS_BEHIND_ALL(Program.ITERATIONS, Kind.ACKNOWLEDGED_TOO_EARLY, Kind.LOST, Kind.MODEL_DIFFERS),
    /** A process does not see from rows that the other process of its slot has pushed the iteration. */
    OVERTAKEN_NOT_SEEN(Program.ITERATIONS, Kind.MODEL_DIFFERS),
    /** A process does not see from rows that the other process of its slot has finished the slot. */
    FINISH_NOT_SEEN_IN_ROWS(Program.ITERATIONS, Kind.MODEL_DIFFERS),
    /** A process that takes a slot over begins at the first iteration. */
    BEGINS_AT_ZERO(Program.ITERATIONS, Kind.INVARIANT_BROKEN, Kind.MODEL_DIFFERS, Kind.NO_PROGRESS,
        Kind.STALENESS_EXCEEDED),
    /** A primary logs that slots may run one iteration further apart than they may. */
    BOUND_LOGGED_AS_ONE_MORE(Program.ITERATIONS, Kind.STALENESS_EXCEEDED, Kind.MODEL_DIFFERS),
    /** A slot that does not count, for which no other waits, reads without waiting for those that do. */
    UNCOUNTED_SLOT_NOT_BOUND(Program.ITERATIONS, Kind.STALENESS_EXCEEDED),
    /** Cached rows count as one iteration younger than they are. */
    CACHED_ROW_KEPT_TOO_LONG(Program.ITERATIONS, Kind.STALENESS_EXCEEDED),
    /** Cached rows do not show what their own worker pushes. */
    OWN_PUSHES_NOT_CACHED(Program.ITERATIONS, Kind.MODEL_DIFFERS),
    /** A pull waits for slots that have finished. */
    FINISHED_SLOT_AWAITED(Program.ITERATIONS, Kind.NO_PROGRESS),
    /** A model that is taken out of a head lacks a frame. */
    EXPORT_FRAME_LOST(Program.ITERATIONS, Kind.MODEL_DIFFERS),
    /** A model that is taken out of a head has a frame twice. */
    EXPORT_FRAME_TWICE(Program.ITERATIONS, Kind.MODEL_DIFFERS),
    /** A model that is taken out of a head names the iteration before its own. */
    EXPORT_LABELLED_EARLIER(Program.ITERATIONS, Kind.MODEL_DIFFERS),
    /** A model that is rebuilt from a disk goes one record too far. */
    REBUILD_TOO_FAR(Program.ITERATIONS, Kind.MODEL_DIFFERS),
    /** An import counts as done once it is applied, before it is safe. */
    IMPORT_DONE_WHEN_APPLIED(Program.ITERATIONS, Kind.ACKNOWLEDGED_TOO_EARLY, Kind.LOST),
    /** A process imports once more after a failover, over gradients that came after the import. */
    IMPORT_REPEATED_AFTER_FAILOVER(Program.ITERATIONS, Kind.MODEL_DIFFERS),
    /** A primary takes the first half of each row that is imported. */
    HALF_OF_ROW_IMPORTED(Program.ITERATIONS, Kind.MODEL_DIFFERS),
    /** A primary takes the values of rows that are imported without their state. */
    IMPORT_WITHOUT_STATE(Program.ITERATIONS, Kind.MODEL_DIFFERS),
    /** Snapshots lose the state of rows that are imported. */
    STATE_OF_IMPORT_LOST_IN_SNAPSHOT(Program.ITERATIONS, Kind.MODEL_DIFFERS, Kind.HASH_DIFFERS),
    /** Snapshots hold, in place of the values of rows, those with which they were imported last. */
    IMPORT_BACK_IN_SNAPSHOT(Program.ITERATIONS, Kind.MODEL_DIFFERS, Kind.HASH_DIFFERS),
    /** A run is resumed from the older of two copies of a partition. */
    RESUMED_FROM_OLDER_COPY(Program.ITERATIONS, Kind.LOST),
    /** A run is resumed with one partition as it was an iteration earlier than the others. */
    RESUMED_EARLIER_AT_ONE(Program.ITERATIONS, Kind.MODEL_DIFFERS),
    /** A run is resumed with each partition as it was at the end of its log, which may be of another iteration. */
    RESUMED_AT_END_OF_LOGS(Program.ITERATIONS, Kind.MODEL_DIFFERS),
    /** The workers of a resumed run begin one iteration later than the model. */
    RESUMED_ONE_LATER(Program.ITERATIONS, Kind.MODEL_DIFFERS),
    /** Workers begin before the model of the run that they resume is in the cluster. */
    RESUMED_BEFORE_LOADED(Program.ITERATIONS, Kind.MODEL_DIFFERS, Kind.WRONG_OUTCOME),
    /** The coordinators give a slot to two processes, with one number. */
    SLOT_GIVEN_TO_TWO(Program.UNITS, Kind.DOUBLED, Kind.LOST, Kind.INVARIANT_BROKEN, Kind.WORKER_HALTED,
        Kind.MODEL_DIFFERS, Kind.WATERMARK_BEYOND_TRUTH, Kind.ACKNOWLEDGED_TOO_EARLY, Kind.NO_PROGRESS),
    /** A slot is adopted with the number of the process that is in it, and not with a newer one. */
    ADOPTED_WITH_OLD_NUMBER(Program.UNITS, Kind.DOUBLED, Kind.LOST, Kind.INVARIANT_BROKEN, Kind.WORKER_HALTED,
        Kind.MODEL_DIFFERS, Kind.WATERMARK_BEYOND_TRUTH, Kind.ACKNOWLEDGED_TOO_EARLY, Kind.NO_PROGRESS),
    /** A new leader counts the time in which nobody led against the processes of slots. */
    LEASES_END_WITH_THEIR_LEADER(Program.UNITS, Kind.DECISION_WRONG),
    /** A new leader does not know who holds which slot. */
    LEADER_FORGETS_WHO_HOLDS_SLOTS(Program.UNITS, Kind.DECISION_WRONG),
    /** A coordinator's snapshot does not hold who holds which slot. */
    SNAPSHOT_LOSES_WHO_HOLDS_SLOTS(Program.UNITS, Kind.COORDINATORS_DIFFER),
    /** The work of a silent or slow slot is given again, and its process is not fenced. */
    GIVEN_AGAIN_UNFENCED(Program.UNITS, Kind.DOUBLED, Kind.LOST, Kind.DECISION_WRONG),
    /** A process that adopts a slot goes by the clock that the coordinators know, and not by that of the servers. */
    ADOPTED_CLOCK_NOT_READ(Program.UNITS, Kind.DOUBLED),
    /** The batch of which the process of an adopted slot may have pushed a part is given again. */
    BEGUN_BATCH_GIVEN_AGAIN(Program.UNITS, Kind.DOUBLED),
    /** The coordinators count one batch more than a process has reported. */
    DONE_COUNTED_TWICE(Program.UNITS, Kind.DECISION_WRONG),
    /** Batches that a slot gives back are dropped, though the work is to be done whole. */
    LEFT_BATCHES_DROPPED(Program.UNITS, Kind.DECISION_WRONG),
    /** A process does a unit that comes after those that its slot was given. */
    UNIT_BEYOND_ITS_LIST(Program.UNITS, Kind.DOUBLED, Kind.DECISION_WRONG, Kind.LOST, Kind.NO_PROGRESS);

    private final Program program;
    /** A bit for each kind of violation that it may show. */
    private final long expected;

    PlantedFault(final Kind... kinds)
    {
        this(Program.PARTS, kinds);
    }

    PlantedFault(final Program program, final Kind... kinds)
    {
        this.program = program;
        long bits = 0;
        for (final Kind kind : kinds)
        {
            bits |= 1L << kind.ordinal();
        }
        expected = bits;
    }

    /** The program of workers by which the mistake is found. */
    public Program program()
    {
        return program;
    }

    /** True if the mistake may show as this violation. */
    public boolean isExpected(final Kind kind)
    {
        return 0 != (expected & 1L << kind.ordinal());
    }
}
