"""A Spark cluster of one's own: a standalone master and workers, each a process of its own, on the loopback interface.

    with Cluster(workers=2) as cluster:
        spark = cluster.session()          executors run below the workers, the driver here
        cluster.kill(0)                    kill -9: the worker, its executor and all their Python

A worker is the leader of its own process group, which its executor and the Python below it belong to; killing the
group is what a machine that loses power looks like to the others.

SPDX-License-Identifier: Apache-2.0
"""
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyspark

HOME = Path(pyspark.__file__).parent
# Virtual machines that live for seconds: the first compiler, the simplest collector.
SHORT = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


class Cluster:
    def __init__(self, workers=2, memory="1g", cores=1):
        self.wanted, self.memory, self.cores = workers, memory, cores
        self.workers = []

    def __enter__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="dustpan-spark-"))
        self.env = {**os.environ, "SPARK_HOME": str(HOME), "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_NO_DAEMONIZE": "1",
                    "SPARK_LOCAL_DIRS": str(self.folder / "local"), "SPARK_WORKER_DIR": str(self.folder / "work"),
                    "PYSPARK_PYTHON": sys.executable, "SPARK_DAEMON_MEMORY": "256m",
                    "SPARK_DAEMON_JAVA_OPTS": SHORT, "OPENBLAS_NUM_THREADS": "1"}
        try:
            # A port that is free now, so that nobody has to wait for the master to say which it took.
            port = _free_port()
            self.url = f"spark://127.0.0.1:{port}"
            self.master = self._start("master", "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1",
                                      "--port", str(port), "--webui-port", "0")
            for i in range(self.wanted):
                self.workers.append(self._start(f"worker{i}", "org.apache.spark.deploy.worker.Worker", "--host",
                                                "127.0.0.1", "--webui-port", "0", "--cores", str(self.cores),
                                                "--memory", self.memory, self.url))
        except BaseException:
            self.__exit__()
            raise
        return self

    def wait(self):
        """Until all workers are there."""
        for i in range(self.wanted):
            self._wait(f"worker{i}", r"(Successfully registered with master)")

    def __exit__(self, *_):
        for process in [*self.workers, getattr(self, "master", None)]:
            if process:
                _kill(process)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _start(self, name, *command):
        with open(self.folder / f"{name}.log", "wb") as log:
            return subprocess.Popen([HOME / "bin" / "spark-class", *command], stdout=log, stderr=log,
                                    stdin=subprocess.DEVNULL, env=self.env, start_new_session=True)

    def _wait(self, name, pattern, seconds=60):
        for _ in range(seconds * 10):
            found = re.search(pattern, (self.folder / f"{name}.log").read_text(errors="replace"))
            if found:
                return found[1]
            time.sleep(0.1)
        raise TimeoutError(f"{name}: {(self.folder / (name + '.log')).read_text(errors='replace')[-2000:]}")

    def kill(self, i):
        _kill(self.workers[i])

    def session(self, **conf):
        from pyspark.sql import SparkSession

        self.wait()
        os.environ.update(self.env)
        builder = SparkSession.builder.master(self.url).appName("dustpan-test")
        for name, value in {
            "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1", "spark.driver.memory": "512m",
            "spark.executor.memory": "512m", "spark.executor.cores": self.cores, "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false", "spark.sql.shuffle.partitions": 6,
            "spark.driver.extraJavaOptions": SHORT, "spark.executor.extraJavaOptions": SHORT,
            "spark.shuffle.io.retryWait": "1s",
            "spark.sql.adaptive.enabled": "false", **conf}.items():
            builder = builder.config(name, value)
        spark = builder.getOrCreate()
        spark.sparkContext.setLogLevel("ERROR")
        self._wait_for_executors(spark)
        return spark

    def _wait_for_executors(self, spark, seconds=60):
        """Until each worker has its own: a session is there as soon as the first one is."""
        executors = spark.sparkContext._jsc.sc().getExecutorMemoryStatus  # counts the driver, too
        for _ in range(seconds * 10):
            if executors().size() > self.wanted:
                return
            time.sleep(0.1)
        raise TimeoutError(f"{executors().size() - 1} of {self.wanted} executors are there")


def _free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def _kill(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
